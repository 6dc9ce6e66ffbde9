internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import Foundation

/// `countersign admin mute`: the clients that people muted.
struct MuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute",
        abstract: "List and lift what people muted or reported.",
        discussion: """
            A person mutes a client or a site by reporting a request of it, or by asking not to be asked again. \
            What it asks them from then on is not shown to them, and it does not learn of that.
            """,
        subcommands: [OwnedListCommand<PersonMute>.self, Lift.self],
        // A report is a mute with a cause.
        aliases: ["report"]
    )

    /// `countersign admin mute lift`
    struct Lift: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Let a client that a person muted or reported ask them again.",
            discussion: """
                Example:
                  countersign admin mute lift anna backend
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

/// A client that a person muted.
struct PersonMute: OwnedNoun {
    let mute: Mute
    let person: Person?
    let client: Client?

    static let listAbstract = "List the clients that people muted or reported, or one of them."

    static var columns: Columns<Self> {
        [
            "person": { $0.person?.username.rawValue ?? $0.mute.subject.rawValue }, "client": \.mute.client.rawValue,
            "name": \.client?.name, "cause": \.mute.cause.rawValue, "since": { $0.mute.since.formatted(.iso8601) },
        ]
    }

    var members: OutputMembers {
        [
            "person": person?.username.rawValue, "subject": mute.subject.rawValue, "client": mute.client.rawValue,
            "name": client?.name, "cause": mute.cause.rawValue, "since": mute.since,
        ]
    }

    static func all(of person: Person?, in repositories: any Repositories) throws -> [Self] {
        let mutes = try person.map { try repositories.mutes.all(of: $0.subject) } ?? repositories.mutes.all()
        return try mutes.map {
            PersonMute(
                mute: $0, person: try repositories.people.find($0.subject),
                client: try repositories.clients.find($0.client))
        }
    }
}
