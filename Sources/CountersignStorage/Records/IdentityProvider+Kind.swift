extension IdentityProvider {
    /// The protocol of a provider, with its settings.
    public enum Kind: Sendable, Equatable, Codable {
        /// OpenID Connect: people sign in on the pages of this server, and apps exchange ID tokens.
        case openID(OpenID)
        /// The API of a social graph, such as Facebook's: apps exchange access tokens.
        case socialGraph(SocialGraph)
        /// OAuth 1.0 with `verify_credentials`, such as Twitter's: apps exchange a token with its secret.
        case oauth1(OAuth1)
        /// An API that names the person of a bearer token but not its client, such as X's.
        case bearer(Bearer)
    }

    /// The settings of an OpenID provider.
    ///
    /// Standard: OpenID Connect Core 1.0.
    public struct OpenID: Sendable, Equatable, Codable {
        /// The client identifier of this server at the provider.
        public var client: ClientID
        /// The credential of this server at the provider.
        public var credential: ProviderCredential
        /// The requested scope in addition to `openid`.
        public var scope: Scope
        /// Whether people can sign in with it on the pages of this server.
        public var isOnLoginPage: Bool
        /// The audiences at the provider whose tokens clients may exchange; empty for none.
        ///
        /// Standard: RFC 8693.
        public var exchangeAudiences: [ClientID]
        /// Further authorized parties (`azp`) of tokens for ``exchangeAudiences``, such as Google's clients for
        /// Android; none by default.
        public var exchangeParties: [ClientID]
        /// The rule for the `nonce` of an ID token that is exchanged; ``TokenExchangeNonceRule/matching`` by default.
        public var exchangeNonce: TokenExchangeNonceRule
        /// Whether the provider posts its answer.
        ///
        /// Standard: OAuth 2.0 Form Post Response Mode §2.
        public var postsAnswers: Bool
        /// The token endpoint, if the provider's metadata lack it; `nil` by default.
        public var tokenEndpoint: String?

        /// Creates the settings of a provider on the sign-in page, without exchange.
        public init(client: ClientID, credential: ProviderCredential, scope: Scope = .none) {
            self.client = client
            self.credential = credential
            self.scope = scope
            isOnLoginPage = true
            exchangeAudiences = []
            exchangeParties = []
            exchangeNonce = .matching
            postsAnswers = false
        }
    }

    /// The settings of a provider with a social graph.
    public struct SocialGraph: Sendable, Equatable, Codable {
        /// The app whose tokens clients may exchange.
        public var app: ClientID
        /// The app's secret.
        public var secret: ProviderSecret
        /// The https address of the API, without a slash at its end.
        public var base: String
        /// The first component of each path, such as `v23.0`.
        public var version: String

        /// Creates the settings of a provider.
        public init(app: ClientID, secret: ProviderSecret, base: String, version: String) {
            self.app = app
            self.secret = secret
            self.base = base
            self.version = version
        }
    }

    /// The settings of a provider of OAuth 1.0.
    ///
    /// Standard: RFC 5849 §1.1.
    public struct OAuth1: Sendable, Equatable, Codable {
        /// The app whose tokens clients may exchange ("consumer key").
        public var consumer: ClientID
        /// The app's secret ("consumer secret").
        public var secret: ProviderSecret
        /// The https address of the API, without a slash at its end.
        public var base: String

        /// Creates the settings of a provider.
        public init(consumer: ClientID, secret: ProviderSecret, base: String) {
            self.consumer = consumer
            self.secret = secret
            self.base = base
        }
    }

    /// The settings of a provider that does not name the client of a token.
    ///
    /// A token for any app would sign the person in. So a client has to vouch that the token was issued to it, and only
    /// authenticated clients can do that.
    public struct Bearer: Sendable, Equatable, Codable {
        /// The https address of the API, without a slash at its end.
        public var base: String
        /// The clients of this server that vouch for the tokens that they present.
        public var vouchers: [ClientID]

        /// Creates the settings of a provider.
        public init(base: String, vouchers: [ClientID]) {
            self.base = base
            self.vouchers = vouchers
        }
    }
}

extension IdentityProvider.Kind {
    /// The settings of an OpenID provider; `nil` for another kind.
    var openID: IdentityProvider.OpenID? { if case .openID(let settings) = self { settings } else { nil } }

    /// The name of the kind, for lists.
    public var name: String {
        switch self {
        case .openID: "openid"
        case .socialGraph: "social-graph"
        case .oauth1: "oauth1"
        case .bearer: "bearer"
        }
    }

    /// The client identifier of this server or its app at the provider; `nil` for none.
    public var client: ClientID? {
        switch self {
        case .openID(let settings): settings.client
        case .socialGraph(let settings): settings.app
        case .oauth1(let settings): settings.consumer
        case .bearer: nil
        }
    }

    /// The apps at the provider whose tokens clients may exchange.
    public var exchangeAudiences: [ClientID] {
        switch self {
        case .openID(let settings): settings.exchangeAudiences
        case .socialGraph(let settings): [settings.app]
        case .oauth1(let settings): [settings.consumer]
        case .bearer: []
        }
    }

    /// The further authorized parties (`azp`) of such tokens.
    public var exchangeParties: [ClientID] { openID?.exchangeParties ?? [] }

    /// The rule for the `nonce` of an ID token that is exchanged; `nil` for providers without ID tokens.
    public var exchangeNonce: TokenExchangeNonceRule? { openID?.exchangeNonce }

    /// The type of token that clients may exchange; `nil` for none.
    package var exchanged: TokenTypeIdentifier? {
        switch self {
        case .openID(let settings): settings.exchangeAudiences.isEmpty ? nil : .idToken
        case .socialGraph, .bearer: .accessToken
        case .oauth1: .oauth1Credentials
        }
    }
}
