internal import ArgumentParser
internal import Countersign
internal import CountersignServer
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension UserCommand {
    /// `countersign admin user mute`
    struct Mute: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List and lift what a person muted.",
            discussion: """
                A person mutes a client or an environment by reporting a request of it, or by asking not to be asked again. \
                What it asks them from then on is not shown to them, and it does not learn of that.
                """,
            subcommands: [List.self, Lift.self]
        )

        /// `countersign admin user mute list`
        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List the clients that a person muted.")

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: NamedPerson

            func run() async throws {
                try await ending {
                    let name = PersonName(who.username)
                    let mutes = try await admin.withStore { store in
                        try await store.read { repositories -> [ShownMute]? in
                            guard let person = try name.find(in: repositories) else { return nil }
                            return try repositories.mutes.all(of: person.subject).map { mute in
                                ShownMute(mute, of: try repositories.clients.find(mute.client))
                            }
                        }
                    }
                    guard let mutes else { throw Failure("There is nobody called \(who.username).") }
                    var table = TextTable(["client", "name", "cause", "since"])
                    for mute in mutes {
                        table.add([mute.client, mute.name ?? "", mute.cause, mute.since.formatted(.iso8601)])
                    }
                    try admin.print(mutes, or: mutes.isEmpty ? "None." : table.text)
                }
            }
        }

        /// `countersign admin user mute lift`
        struct Lift: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Let a client that a person muted ask them again.",
                discussion: """
                    Example:
                      countersign admin user mute lift anna backend
                    """
            )

            @OptionGroup var admin: AdminOptions
            @OptionGroup var who: NamedPerson
            @Argument(help: "The client, as 'mute list' names it.")
            var client: String

            func run() async throws {
                try await ending {
                    let (name, named) = (PersonName(who.username), ClientID(client))
                    let now = TimeSource.system.now()
                    let isFound = try await admin.withStore { store in
                        try await store.change { repositories -> Bool? in
                            guard let person = try name.find(in: repositories) else { return nil }
                            return try repositories.liftMute(of: named, by: person.subject, as: .operator, at: now)
                        }
                    }
                    guard let isFound else { throw Failure("There is nobody called \(who.username).") }
                    guard isFound else { throw Failure("\(who.username) has not muted \(named).") }
                    try admin.print(["lifted": named.rawValue], or: "\(named) may ask \(who.username) again.")
                }
            }
        }
    }
}

/// A mute as the command shows it.
private struct ShownMute: Encodable {
    let client: String
    let name: String?
    let cause: String
    let since: Date

    init(_ mute: Mute, of client: Client?) {
        self.client = mute.client.rawValue
        name = client?.name
        cause = mute.cause.rawValue
        since = mute.since
    }
}
