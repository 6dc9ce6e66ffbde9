internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `countersign admin registration-token`: the tokens for apps that register themselves.
struct RegistrationTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration-token",
        abstract: "Manage the tokens with which apps register themselves, where serve has --registration token.",
        subcommands: [Add.self, List.self, Remove.self]
    )

    /// `countersign admin registration-token add`
    struct Add: AsyncParsableCommand {
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

        @Option(name: .long, help: "How many apps may register with it, from 1 to 1000000.")
        var uses = 1

        @Option(
            name: .long,
            help: ArgumentHelp(
                "How long it is accepted: a number with s, m, h or d, up to 365d.",
                valueName: "time"
            )
        )
        var lifetime = "24h"

        @Option(
            name: .long,
            help: ArgumentHelp(
                "What its apps may ask for besides openid, profile and offline_access. (default: nothing)",
                valueName: "words"
            )
        )
        var scope: String?

        @Flag(name: .long, help: "Its apps may get tokens of their own, without a person.")
        var clientCredentials = false

        @Option(name: .long, help: "An audience whose tokens its apps may introspect. Repeatable.")
        var serves: [String] = []

        /// The longest time that a token may be accepted, in seconds.
        private static let longest: TimeInterval = 365 * 86_400

        func run() async throws {
            try await ending {
                let mint = CodeMint(drawingFrom: .system)
                let secret: AccessToken = mint.secret()
                let token = try token(minted: secret, by: mint)
                let missing = try await creation.allowed(in: admin.storage)
                try await admin.withStore(whenMissing: missing) { store in
                    try await store.change { repositories in
                        try repositories.initialAccessTokens.insert(token)
                        try repositories.record(
                            .operator(token.created, .initialAccessTokenAdded, detail: token.id.rawValue))
                    }
                }
                let shown = ShownRegistrationToken(token, secret: secret)
                let end = token.expires.formatted(.iso8601)
                try admin.print(
                    shown,
                    or: """
                        Added the registration token \(token.id), for \(token.uses) app\(token.uses == 1 ? "" : "s") until \(end).
                        It is shown only now: \(secret.revealed)
                        """
                )
            }
        }

        private func token(minted secret: AccessToken, by mint: CodeMint) throws -> InitialAccessToken {
            guard (1...1_000_000).contains(uses) else {
                throw Failure("--uses goes from 1 to 1000000.", status: .usage)
            }
            guard let span = TimeSpan(parsing: lifetime)?.seconds, (1...Self.longest).contains(span) else {
                throw Failure("--lifetime takes a number with s, m, h or d, from 1s to 365d.", status: .usage)
            }
            guard let scope = Scope(parsing: scope ?? "") else {
                throw Failure("The scope has a character that no scope may have.", status: .usage)
            }
            let now = TimeSource.system.now()
            return InitialAccessToken(
                id: mint.number(),
                token: secret.digest,
                allowance: RegistrationAllowance(
                    clientCredentials: clientCredentials,
                    scope: scope,
                    serves: serves.filter { !$0.isEmpty }
                ),
                uses: uses,
                created: now,
                expires: now + span
            )
        }
    }

    /// `countersign admin registration-token list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all tokens, without the tokens themselves.")

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            try await ending {
                let tokens = try await admin.withStore { store in
                    try await store.read { try $0.initialAccessTokens.all() }
                }.map { ShownRegistrationToken($0) }
                var table = TextTable(["id", "uses left", "expires", "scope", "client credentials", "serves"])
                for token in tokens {
                    table.add([
                        token.id, "\(token.uses)", token.expires.formatted(.iso8601), token.scope,
                        token.clientCredentials ? "yes" : "no", token.serves.joined(separator: ","),
                    ])
                }
                try admin.print(tokens, or: tokens.isEmpty ? "No registration tokens." : table.text)
            }
        }
    }

    /// `countersign admin registration-token remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a token; the apps that registered with it stay."
        )

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The number by which the token is listed.")
        var id: String

        func run() async throws {
            try await ending {
                let (id, now) = (InitialAccessToken.ID(id), TimeSource.system.now())
                let wasThere = try await admin.withStore { store in
                    try await store.change { repositories in
                        guard try repositories.initialAccessTokens.remove(id) else { return false }
                        try repositories.record(.operator(now, .initialAccessTokenRemoved, detail: id.rawValue))
                        return true
                    }
                }
                guard wasThere else { throw Failure("There is no registration token \(id).") }
                try admin.print(["removed": id.rawValue], or: "Removed the registration token \(id).")
            }
        }
    }
}

/// A token for apps that register themselves, as the command shows it.
struct ShownRegistrationToken: Encodable {
    let id: String
    let uses: Int
    let scope: String
    let clientCredentials: Bool
    let serves: [String]
    let created: Date
    let expires: Date
    /// Shown once, when it is minted.
    let token: String?

    init(_ token: InitialAccessToken, secret: AccessToken? = nil) {
        id = token.id.rawValue
        uses = token.uses
        scope = token.allowance.scope.description
        clientCredentials = token.allowance.clientCredentials
        serves = token.allowance.serves
        created = token.created
        expires = token.expires
        self.token = secret?.revealed
    }

    enum CodingKeys: String, CodingKey {
        case id, scope, serves, created, expires, token
        case uses = "uses_left"
        case clientCredentials = "client_credentials"
    }
}
