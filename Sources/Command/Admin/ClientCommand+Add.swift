internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

extension ClientCommand {
    /// `countersign admin client add`
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Register a client; a confidential one is given its secret, once.",
            discussion: """
                Examples:
                  countersign admin client add tv --name "Living room TV" --scope "openid profile"
                  countersign admin client add backend --confidential --grant client_credentials --scope "reports.read"
                  countersign admin client add api --confidential --no-grants --serves https://api.example.com
                """
        )

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The client's identifier: 1 to 128 visible ASCII characters.")
        var id: String

        @Option(name: .long, help: "The name that people are shown. (default: the identifier)")
        var name: String?

        @Flag(
            exclusivity: .exclusive,
            help: "Whether the client can keep a secret. (default: public)"
        )
        var kind: Kind = .public

        @Option(
            name: .long,
            help: ArgumentHelp(
                """
                How it may redeem: device_code, refresh_token, client_credentials. Repeatable. \
                (default: device_code and refresh_token)
                """,
                valueName: "grant"
            )
        )
        var grant: [String] = []

        @Flag(name: .long, help: "It redeems nothing: a resource server that only introspects.")
        var noGrants = false

        @Option(name: .long, help: "The most it may ask for, words with spaces between. (default: openid profile)")
        var scope = "openid profile"

        @Option(name: .long, help: "The form of its access tokens: opaque, ES256 or RS256. (default: opaque)")
        var tokenFormat = "opaque"

        @Option(name: .long, help: "For whom its access tokens are. (default: the issuer)")
        var audience: String?

        @Option(name: .long, help: "An audience whose tokens it may introspect. Repeatable.")
        var serves: [String] = []

        @Option(name: .long, help: "How long its codes live, in seconds, from 30 to 3600.")
        var codeLifetime = 300

        @Option(
            name: .long,
            help: "How long its access tokens live, in seconds, from 10 to 86400; as JWT at most 300. (default: 3600)"
        )
        var accessTokenLifetime: Int?

        @Option(name: .long, help: "How long its refresh tokens live unused, in seconds, up to 31536000.")
        var refreshTokenLifetime = 30 * 86_400

        /// Whether a client has a secret.
        enum Kind: String, EnumerableFlag {
            case `public`, confidential
        }

        func run() async throws {
            try await ending {
                let secret = kind == .confidential ? CodeMint(drawingFrom: .system).secret(ClientSecret.self) : nil
                let client = try client(holding: secret)
                do {
                    try await admin.withStore(whenMissing: .make) { store in
                        // What is left of an earlier one of that name, whose removal was interrupted.
                        if try await store.read({ try $0.clients.find(client.id) }) == nil {
                            try await store.endAll(of: client.id, at: client.created)
                        }
                        try await store.change { repositories in
                            try repositories.clients.insert(client)
                            try repositories.record(.operator(client.created, .clientAdded, client: client.id))
                        }
                    }
                } catch StoreRefusal.alreadyExists {
                    throw Failure("There is a client \(id) already.")
                }
                var lines = ["Added the client \(id)."]
                if let secret {
                    lines.append("Its secret, which is shown only now: \(secret.revealed)")
                }
                try admin.print(ShownClient(client, secret: secret), or: lines.joined(separator: "\n"))
            }
        }

        private func client(holding secret: ClientSecret?) throws -> Client {
            guard (1...128).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Failure("A client's identifier has 1 to 128 visible ASCII characters.", status: .usage)
            }
            guard let scope = Scope(parsing: scope) else {
                throw Failure("The scope has a character that no scope may have.", status: .usage)
            }
            let format = Client.TokenFormat.allCases.first { $0.rawValue.lowercased() == tokenFormat.lowercased() }
            guard let format else {
                throw Failure("The token format is opaque, ES256 or RS256.", status: .usage)
            }
            return Client(
                id: ClientID(id),
                name: name ?? id,
                kind: secret.map { .confidential($0.digest) } ?? .public,
                grantTypes: try grantTypes(),
                scope: scope,
                tokenFormat: format,
                audience: audience,
                serves: serves,
                lifetimes: try lifetimes(of: format),
                created: TimeSource.system.now()
            )
        }

        private func grantTypes() throws -> [GrantType] {
            guard !noGrants else { return [] }
            let names = grant.flatMap { $0.split(separator: ",").map(String.init) }
            let chosen = try names.map { name in
                let known = GrantType.known.first { $0.rawValue == name || $0.rawValue.hasSuffix(":\(name)") }
                guard let known else {
                    throw Failure(
                        "There is no grant \(name): use device_code, refresh_token or client_credentials.",
                        status: .usage
                    )
                }
                return known
            }
            if chosen.contains(.clientCredentials), kind == .public {
                throw Failure("client_credentials needs a secret: add --confidential.", status: .usage)
            }
            if !serves.isEmpty, kind == .public {
                throw Failure("A resource server needs a secret: add --confidential.", status: .usage)
            }
            return chosen.isEmpty ? [.deviceCode, .refreshToken] : chosen
        }

        private func lifetimes(of format: Client.TokenFormat) throws -> Lifetimes {
            let longest = format == .opaque ? 86_400 : Int(Lifetimes.longestJWT)
            let access = accessTokenLifetime ?? min(3600, longest)
            guard (30...3600).contains(codeLifetime) else {
                throw Failure("--code-lifetime goes from 30 to 3600 seconds.", status: .usage)
            }
            guard (10...longest).contains(access) else {
                throw Failure(
                    "--access-token-lifetime goes from 10 to \(longest) seconds for \(format.rawValue) tokens.",
                    status: .usage
                )
            }
            guard (60...31_536_000).contains(refreshTokenLifetime) else {
                throw Failure("--refresh-token-lifetime goes from 60 to 31536000 seconds.", status: .usage)
            }
            return Lifetimes(
                code: TimeInterval(codeLifetime),
                accessToken: TimeInterval(access),
                refreshToken: TimeInterval(refreshTokenLifetime)
            )
        }
    }
}
