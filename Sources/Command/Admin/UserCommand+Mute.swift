internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

extension UserCommand {
    /// `countersign admin user mute`
    struct Mute: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List and lift what a person muted.",
            discussion: """
                A person mutes a client or a site by reporting a request of it, or by asking not to be asked again. \
                What it asks them from then on is not shown to them, and it does not learn of that.
                """,
            subcommands: [PersonListCommand<UserMute>.self, Lift.self]
        )

        /// `countersign admin user mute lift`
        struct Lift: AdminAction {
            static let configuration = CommandConfiguration(
                abstract: "Let a client that a person muted ask them again.",
                discussion: """
                    Example:
                      countersign admin user mute lift anna backend
                    """
            )

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: PersonArgument
            @Argument(help: "The client, as 'mute list' names it.")
            var client: String

            func output() async throws -> CommandOutput {
                let (named, now) = (ClientID(client), TimeSource.system.now())
                let wasMuted = try await admin.change { [who] repositories in
                    let person = try who.find(in: repositories)
                    return try Mutes(repositories).lift(of: named, by: person.subject, as: .operator, at: now)
                }
                guard wasMuted else { throw CommandError("\(who.username) has not muted \(named).") }
                return CommandOutput(["lifted": named.rawValue], "\(named) may ask \(who.username) again.")
            }
        }
    }
}

/// A client that a person muted.
struct UserMute: PersonalNoun {
    let mute: Mute
    let client: Client?

    static let listAbstract = "List the clients that a person muted."

    static var columns: Columns<Self> {
        [
            "client": \.mute.client.rawValue, "name": \.client?.name, "cause": \.mute.cause.rawValue,
            "since": { $0.mute.since.formatted(.iso8601) },
        ]
    }

    var members: OutputMembers {
        ["client": mute.client.rawValue, "name": client?.name, "cause": mute.cause.rawValue, "since": mute.since]
    }

    static func all(of person: Person, in repositories: any Repositories) throws -> [Self] {
        try repositories.mutes.all(of: person.subject).map {
            UserMute(mute: $0, client: try repositories.clients.find($0.client))
        }
    }
}
