internal import ArgumentParser
internal import Countersign
internal import CountersignServer
internal import CountersignTransport
internal import CountersignWire
internal import Foundation

extension ProviderCommand {
    /// `countersign admin provider add`
    struct Add: AdminAction {
        static let configuration = CommandConfiguration(
            abstract:
                "Let people sign in with another provider; its client secret is the first line of standard input.",
            discussion: """
                Examples:
                  countersign admin provider add google --preset google --client-id 12.apps.googleusercontent.com <secret
                  countersign admin provider add work --provider-issuer https://id.example.com --client-id here --new-accounts <secret
                  countersign admin provider add apple --preset apple --client-id com.example.web --key-file AuthKey.p8 --key-id ABC --team-id DEF
                  countersign admin provider add facebook --preset facebook --no-login --exchange-audience 1234567890
                  countersign admin provider add graph --preset facebook-graph --client-id 1234567890 <app-secret
                  countersign admin provider add twitter --preset twitter --client-id CONSUMER-KEY <consumer-secret
                  countersign admin provider add x --preset x --vouched-by backend
                """
        )

        @OptionGroup var admin: AdminOptions

        @Argument(help: "The name in addresses of this server: small letters, digits and hyphens.")
        var name: String

        @Option(
            help:
                "What is known of a provider: apple, facebook, google or microsoft; facebook-graph, twitter or x, whose tokens are exchanged."
        )
        var preset: ProviderPreset?

        @Option(help: ArgumentHelp("The issuer of any other OpenID provider.", valueName: "url"))
        var providerIssuer: String?

        @Option(help: ArgumentHelp("The directory at Microsoft.", valueName: "id"))
        var tenant: String?

        @Option(help: ArgumentHelp("The name of this server at the provider.", valueName: "id"))
        var clientID: String?

        @Flag(help: "The provider gave no secret: PKCE alone protects the code.")
        var `public` = false

        @Option(help: ArgumentHelp("A private key on P-256 in place of a secret, as PEM.", valueName: "file"))
        var keyFile: String?

        @Option(help: ArgumentHelp("How the provider calls that key.", valueName: "id"))
        var keyID: String?

        @Option(help: ArgumentHelp("The team to which that key belongs, at Apple.", valueName: "id"))
        var teamID: String?

        @Option(help: "The name that people read. (default: that of the preset, or the name)")
        var displayName: String?

        @Option(help: ArgumentHelp("What to ask for beside openid. (default: profile email)", valueName: "words"))
        var scope: String?

        @Option(help: ArgumentHelp("Where codes are redeemed, if the metadata do not say it.", valueName: "url"))
        var tokenEndpoint: String?

        @Flag(help: "The provider posts its answers (response_mode=form_post).")
        var formPost = false

        @Flag(help: "Somebody who is not known yet gets an account at their first sign-in.")
        var newAccounts = false

        @Flag(help: "Not on the sign-in page: only its tokens are exchanged.")
        var noLogin = false

        @Option(
            help: ArgumentHelp(
                "An app at the provider whose tokens clients may exchange (RFC 8693). Repeatable.", valueName: "id"))
        var exchangeAudience: [String] = []

        @Option(
            help: ArgumentHelp(
                "An app at the provider that such a token may name as the one that got it (azp). Repeatable.",
                valueName: "id"))
        var exchangeParty: [String] = []

        @Option(
            help: ArgumentHelp(
                "A client of this server that may exchange its tokens. Repeatable. (default: each with that grant)",
                valueName: "client"))
        var exchangedBy: [String] = []

        @Option(
            help: ArgumentHelp(
                """
                What the nonce of an ID token that is exchanged must be: matching (presented if the token has one), hashed \
                (always, and the token has its digest), issued (the same, and got from this server) or unchecked. \
                (default: matching)
                """,
                valueName: "rule"
            )
        )
        var exchangeNonce: String?

        @Option(
            help: ArgumentHelp(
                "Where facebook-graph, twitter or x answers. (default: the provider's own host)", valueName: "url"))
        var host: String?

        @Option(help: ArgumentHelp("The version of facebook-graph. (default: v23.0)", valueName: "version"))
        var apiVersion: String?

        @Option(
            help: ArgumentHelp(
                "A client of this server that is trusted to present only tokens of x that it got for itself. Repeatable.",
                valueName: "client"))
        var vouchedBy: [String] = []

        func output() async throws -> CommandOutput {
            let provider = try provider()
            let named = (exchangedBy + vouchedBy).map { ClientID($0) }
            let unknown: [ClientID]
            do {
                unknown = try await admin.change { repositories in
                    try repositories.identityProviders.insert(provider)
                    let detail = "\(provider.id), \(provider.issuer)"
                    try Audit(repositories).record(.operator(provider.created, .providerAdded, detail: detail))
                    return try named.filter { try repositories.clients.find($0) == nil }
                }
            } catch StoreError.alreadyExists {
                throw CommandError("There is a provider \(name) already.")
            }
            var lines = ["Added the provider \(name). Try it with: countersign admin provider test \(name)"]
            for client in unknown { lines.append("There is no client \(client) yet; add it before it exchanges.") }
            if provider.isOnLoginPage, let issuer = try await admin.serverIssuer() {
                lines.append("Register this address there: \(provider.redirectURI(at: issuer))")
            }
            return CommandOutput(provider.members, lines.joined(separator: "\n"))
        }

        private func provider() throws -> IdentityProvider {
            let id = try IdentityProvider.ID(parsing: name).or(
                usage: "A name has 1 to 32 small letters, digits and hyphens.")
            let issuer = try issuer()
            var provider = IdentityProvider(
                id: id,
                displayName: displayName ?? preset?.displayName ?? name,
                issuer: issuer,
                kind: preset?.isOpenID ?? true ? .openID(try openID()) : try confirmedKind(),
                created: TimeSource.system.now()
            )
            provider.makesAccounts = newAccounts
            provider.exchangers = exchangedBy.map { ClientID($0) }
            return provider
        }

        private func openID() throws -> IdentityProvider.OpenID {
            guard host == nil, apiVersion == nil, vouchedBy.isEmpty else {
                throw CommandError.usage(
                    "--host, --api-version and --vouched-by are for --preset facebook-graph, twitter or x.")
            }
            guard noLogin || clientID != nil else {
                throw CommandError.usage("--client-id is missing: the name of this server at the provider.")
            }
            guard !noLogin || !exchangeAudience.isEmpty else {
                throw CommandError.usage(
                    "--no-login needs --exchange-audience; without both the provider would have no use.")
            }
            guard !exchangeAudience.isEmpty || (exchangeParty.isEmpty && exchangedBy.isEmpty && exchangeNonce == nil)
            else {
                throw CommandError.usage(
                    """
                    --exchange-party, --exchanged-by and --exchange-nonce need --exchange-audience: whose tokens are \
                    exchanged.
                    """
                )
            }
            guard let scope = Scope(parsing: scope ?? (preset?.scope ?? Scope([.profile, .email])).description) else {
                throw CommandError.usage("--scope is no list of words.")
            }
            if let tokenEndpoint, (try? Endpoint(tokenEndpoint)) == nil {
                throw CommandError.usage("--token-endpoint is no https address.")
            }
            var settings = IdentityProvider.OpenID(
                client: ClientID(clientID ?? ""), credential: try credential(), scope: scope)
            settings.isOnLoginPage = !noLogin
            settings.exchangeAudiences = exchangeAudience.map { ClientID($0) }
            settings.exchangeParties = exchangeParty.map { ClientID($0) }
            settings.exchangeNonce = try nonceRule()
            settings.postsAnswers = formPost || preset?.postsAnswers == true
            settings.tokenEndpoint = tokenEndpoint
            return settings
        }

        private func nonceRule() throws -> TokenExchangeNonceRule {
            guard let exchangeNonce else { return .matching }
            guard let rule = TokenExchangeNonceRule(rawValue: exchangeNonce) else {
                let all = TokenExchangeNonceRule.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandError.usage("\(exchangeNonce) is no rule for nonces: \(all).")
            }
            return rule
        }

        private func issuer() throws -> IdentityIssuer {
            switch (preset, providerIssuer) {
            case (let preset?, nil): return try preset.issuer(tenant: tenant)
            case (nil, let text?):
                guard IdentityProvider.isTemplate(text) || (try? Endpoint(text)) != nil else {
                    throw CommandError.usage("--provider-issuer is no https address.")
                }
                guard !IdentityProvider.isTemplate(text), !text.contains("%7B"), !text.contains("%7b") else {
                    throw CommandError.usage(
                        "--provider-issuer has a place for something else: name the issuer of one directory.")
                }
                return IdentityIssuer(text)
            default:
                throw CommandError.usage("Say which provider: --preset or --provider-issuer, one of them.")
            }
        }

        private func credential() throws -> ProviderCredential {
            guard !noLogin, !self.public else { return .none }
            guard let keyFile else {
                guard let secret = try secret() else {
                    throw CommandError(
                        "The client secret comes as one line on standard input; or give --key-file or --public.")
                }
                return .secret(secret)
            }
            guard let keyID else { throw CommandError.usage("--key-file needs --key-id.") }
            guard let bytes = FileManager.default.contents(atPath: keyFile),
                let credential = ProviderCredential.key(
                    pem: try SuppliedText.text(bytes, of: "The key file \(keyFile)"),
                    id: JSONWebKey.ID(keyID),
                    team: teamID
                )
            else { throw CommandError("The key file \(keyFile) cannot be read, or holds no private key on P-256.") }
            return credential
        }
    }
}
