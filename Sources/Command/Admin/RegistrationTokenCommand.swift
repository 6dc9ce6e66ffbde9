internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// `countersign admin registration-token`: the tokens for apps that register themselves.
struct RegistrationTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration-token",
        abstract: "Manage the tokens with which apps register themselves, where serve has --registration token.",
        subcommands: [Add.self, ListCommand<InitialAccessToken>.self, RemoveCommand<InitialAccessToken>.self]
    )

    /// `countersign admin registration-token add`
    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            abstract: "Mint a token with which apps may register themselves; it is shown once.",
            discussion: """
                An app that registers with it stays registered until it removes itself, or you remove it.

                Examples:
                  countersign admin registration-token add
                  countersign admin registration-token add --uses 20 --lifetime 30d --scope "email"
                  countersign admin registration-token add --client-credentials --scope "reports.read"
                """
        )

        @OptionGroup var admin: AdminOptions
        @OptionGroup var creation: DatabaseCreation

        @Option(help: "How many apps may register with it, from 1 to 1000000.")
        var uses = 1

        @Option(
            help: ArgumentHelp("How long it is accepted: a number with s, m, h or d, up to 365d.", valueName: "time"))
        var lifetime = "24h"

        @Option(
            help: ArgumentHelp(
                "What its apps may ask for besides openid, profile and offline_access. (default: nothing)",
                valueName: "words"))
        var scope: String?

        @Flag(help: "Its apps may get tokens of their own, without a person.")
        var clientCredentials = false

        @Option(help: "An audience whose tokens its apps may introspect. Repeatable.")
        var serves: [String] = []

        func output() async throws -> CommandOutput {
            let terms = try terms
            let missing = try await creation.allowed(in: admin.storage)
            let (added, secret) = try await admin.withStore(whenMissing: missing) {
                try await $0.registrationTokens.add(terms)
            }
            let apps = "\(added.uses) app\(added.uses == 1 ? "" : "s")"
            return CommandOutput(
                added.members.adding("token", secret.revealed),
                """
                Added the registration token \(added.id), for \(apps) until \(added.expires.formatted(.iso8601)).
                It is shown only now: \(secret.revealed)
                """
            )
        }

        private var terms: RegistrationTokenRegistry.Terms {
            get throws {
                let allowance = RegistrationAllowance(
                    clientCredentials: clientCredentials, scope: try Scope.typed(scope ?? ""),
                    serves: serves.filter { !$0.isEmpty })
                let span = TimeSpan(parsing: lifetime)?.seconds ?? 0
                do throws(RegistrationTokenRegistry.Terms.TermsError) {
                    return try RegistrationTokenRegistry.Terms(uses: uses, lasting: span, allowance)
                } catch {
                    let words =
                        switch error {
                        case .uses: "--uses goes from 1 to \(RegistrationTokenRegistry.Terms.allowedUses.upperBound)."
                        case .lifetime: "--lifetime takes a number with s, m, h or d, from 1s to 365d."
                        }
                    throw CommandError.usage(words)
                }
            }
        }
    }
}

/// A token for apps that register themselves, without the token itself.
extension InitialAccessToken: RemovableNoun {
    static let word = "registration token"
    static let listAbstract = "List all tokens, without the tokens themselves."
    static let none = "No registration tokens."
    static let removeAbstract = "Remove a token; the apps that registered with it stay."
    static var argument: ArgumentHelp { ArgumentHelp("The number by which the token is listed.", valueName: "id") }

    static var columns: Columns<Self> {
        [
            "id": \.id.rawValue, "uses left": { "\($0.uses)" }, "expires": { $0.expires.formatted(.iso8601) },
            "scope": \.allowance.scope.description,
            "client credentials": { $0.allowance.clientCredentials ? "yes" : "no" },
            "serves": { $0.allowance.serves.joined(separator: ",") },
        ]
    }

    var members: OutputMembers {
        [
            "id": id.rawValue, "uses_left": uses, "scope": allowance.scope.description,
            "client_credentials": allowance.clientCredentials, "serves": allowance.serves, "created": created,
            "expires": expires,
        ]
    }

    static func identifier(_ text: String) -> ID? { ID(text) }

    static func all(in store: any Store) async throws -> [Self] { try await store.registrationTokens.all() }

    static func remove(_ id: ID, from store: any Store) async throws -> Bool {
        try await store.registrationTokens.remove(id)
    }
}
