internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import CountersignWire
internal import Foundation

extension ProviderCommand {
    /// `countersign admin provider add`
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Let people sign in with another provider; its client secret is the first line of standard input.",
            discussion: """
                Examples:
                  countersign admin provider add google --preset google --client-id 12.apps.googleusercontent.com <secret
                  countersign admin provider add work --provider-issuer https://id.example.com --client-id here --new-accounts <secret
                  countersign admin provider add apple --preset apple --client-id com.example.web --key-file AuthKey.p8 --key-id ABC --team-id DEF
                  countersign admin provider add facebook --preset facebook --no-login --exchange-audience 1234567890
                """
        )

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The name in addresses of this server: small letters, digits and hyphens.")
        var name: String

        @Option(name: .long, help: "What is known of a provider: apple, facebook, google or microsoft.")
        var preset: ProviderPreset?

        @Option(name: .long, help: ArgumentHelp("The issuer of any other OpenID provider.", valueName: "url"))
        var providerIssuer: String?

        @Option(name: .long, help: ArgumentHelp("The directory at Microsoft.", valueName: "id"))
        var tenant: String?

        @Option(name: .long, help: ArgumentHelp("The name of this server at the provider.", valueName: "id"))
        var clientID: String?

        @Flag(name: .long, help: "The provider gave no secret: PKCE alone protects the code.")
        var `public` = false

        @Option(
            name: .long, help: ArgumentHelp("A private key on P-256 in place of a secret, as PEM.", valueName: "file"))
        var keyFile: String?

        @Option(name: .long, help: ArgumentHelp("How the provider calls that key.", valueName: "id"))
        var keyID: String?

        @Option(name: .long, help: ArgumentHelp("The team to which that key belongs, at Apple.", valueName: "id"))
        var teamID: String?

        @Option(name: .long, help: "The name that people read. (default: that of the preset, or the name)")
        var displayName: String?

        @Option(
            name: .long,
            help: ArgumentHelp("What to ask for beside openid. (default: profile email)", valueName: "words"))
        var scope: String?

        @Option(
            name: .long,
            help: ArgumentHelp("Where codes are redeemed, if the metadata do not say it.", valueName: "url"))
        var tokenEndpoint: String?

        @Flag(name: .long, help: "The provider posts its answers (response_mode=form_post).")
        var formPost = false

        @Flag(name: .long, help: "Somebody who is not known yet gets an account at their first sign-in.")
        var newAccounts = false

        @Flag(name: .long, help: "Not on the sign-in page: only its tokens are exchanged.")
        var noLogin = false

        @Option(
            name: .long,
            help: ArgumentHelp(
                "An app at the provider whose tokens clients may exchange (RFC 8693). Repeatable.",
                valueName: "id"
            )
        )
        var exchangeAudience: [String] = []

        func run() async throws {
            try await ending {
                let provider = try provider()
                do {
                    try await admin.withStore { store in
                        try await store.change { repositories in
                            try repositories.identityProviders.insert(provider)
                            try repositories.record(
                                .operator(
                                    provider.created,
                                    .providerAdded,
                                    detail: "\(provider.id), \(provider.issuer)"
                                )
                            )
                        }
                    }
                } catch StoreRefusal.alreadyExists {
                    throw Failure("There is a provider \(name) already.")
                }
                var lines = ["Added the provider \(name). Try it with: countersign admin provider test \(name)"]
                if provider.isOnLoginPage, let issuer = try admin.serverIssuer() {
                    lines.append("Register this address there: \(provider.redirectURI(at: issuer))")
                }
                try admin.print(ShownProvider(provider), or: lines.joined(separator: "\n"))
            }
        }

        private func provider() throws -> IdentityProvider {
            guard let id = IdentityProvider.ID(parsing: name) else {
                throw Failure("A name has 1 to 32 small letters, digits and hyphens.", status: .usage)
            }
            guard noLogin || clientID != nil else {
                throw Failure("--client-id is missing: the name of this server at the provider.", status: .usage)
            }
            guard !noLogin || !exchangeAudience.isEmpty else {
                throw Failure(
                    "--no-login needs --exchange-audience; without both the provider serves nothing.", status: .usage)
            }
            guard let scope = Scope(parsing: scope ?? (preset?.scope ?? Scope([.profile, .email])).description) else {
                throw Failure("--scope is no list of words.", status: .usage)
            }
            if let tokenEndpoint, (try? Endpoint(tokenEndpoint)) == nil {
                throw Failure("--token-endpoint is no https address.", status: .usage)
            }
            var provider = IdentityProvider(
                id: id,
                displayName: displayName ?? preset?.displayName ?? name,
                issuer: try issuer(),
                client: ClientID(clientID ?? ""),
                credential: try credential(),
                scope: scope,
                created: TimeSource.system.now()
            )
            provider.isOnLoginPage = !noLogin
            provider.exchangeAudiences = exchangeAudience.map { ClientID($0) }
            provider.makesAccounts = newAccounts
            provider.postsAnswers = formPost || preset?.postsAnswers == true
            provider.tokenEndpoint = tokenEndpoint
            return provider
        }

        private func issuer() throws -> IdentityIssuer {
            switch (preset, providerIssuer) {
            case (let preset?, nil): return try preset.issuer(tenant: tenant)
            case (nil, let text?):
                guard (try? Endpoint(text)) != nil else {
                    throw Failure("--provider-issuer is no https address.", status: .usage)
                }
                return IdentityIssuer(text)
            default:
                throw Failure("Say which provider: --preset or --provider-issuer, one of them.", status: .usage)
            }
        }

        private func credential() throws -> ProviderCredential {
            guard !noLogin, !self.public else { return .none }
            guard let keyFile else {
                guard let line = Terminal.readSecret(asking: "Client secret: "), !line.isEmpty, line.utf8.count <= 4096
                else {
                    throw Failure(
                        "The client secret comes as one line on standard input; or give --key-file or --public.")
                }
                return .secret(line)
            }
            guard let keyID else { throw Failure("--key-file needs --key-id.", status: .usage) }
            guard let bytes = FileManager.default.contents(atPath: keyFile),
                let credential = ProviderCredential.key(
                    pem: String(decoding: bytes, as: UTF8.self),
                    id: JSONWebKey.ID(keyID),
                    team: teamID
                )
            else { throw Failure("The key file \(keyFile) cannot be read, or holds no private key on P-256.") }
            return credential
        }
    }
}
