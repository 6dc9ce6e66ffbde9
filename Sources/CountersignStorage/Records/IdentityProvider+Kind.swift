public import Countersign
package import CountersignWire

extension IdentityProvider {
    /// The protocol of a provider, with the settings that this server needs for it.
    public enum Kind: Sendable, Equatable, Codable {
        /// OpenID Connect: people sign in on the pages of this server, and apps exchange ID tokens.
        case openID(OpenID)
        /// The interface of a social graph, as Facebook has it: apps exchange access tokens.
        case socialGraph(SocialGraph)
        /// OAuth 1.0 with `verify_credentials`, as Twitter has it: apps exchange a token with its secret.
        case oauth1(OAuth1)
        /// An interface that says whose a bearer token is, but not which app it was made for, as X has it.
        case bearer(Bearer)
    }

    /// The settings of an OpenID provider.
    ///
    /// Standard: OpenID Connect Core 1.0.
    public struct OpenID: Sendable, Equatable, Codable {
        /// This server's own name at the provider.
        public var client: ClientID
        /// The credential that proves this server's name to the provider.
        public var credential: ProviderCredential
        /// The scope that this server asks of the provider; it always asks for `openid`.
        public var scope: Scope
        /// Whether people can sign in with it on the pages of this server.
        public var isOnLoginPage: Bool
        /// The names of apps at the provider whose tokens clients may exchange; empty when none may.
        ///
        /// Standard: RFC 8693.
        public var exchangeAudiences: [ClientID]
        /// Further names of apps at the provider that a token for one of ``exchangeAudiences`` may have been given to
        /// (`azp`), as those of apps on Android are at Google; none by default.
        public var exchangeParties: [ClientID]
        /// The rule for the `nonce` of an ID token that is exchanged; ``TokenExchangeNonceRule/matching`` by default.
        public var exchangeNonce: TokenExchangeNonceRule
        /// Whether the provider has to post its answer, as one does that gives names only so.
        ///
        /// Standard: OAuth 2.0 Form Post Response Mode §2.
        public var postsAnswers: Bool
        /// The token endpoint of a provider whose metadata do not name it; `nil` by default.
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
        /// The https address of the interface, without a slash at its end.
        public var base: String
        /// The version that stands in front of each path, such as `v23.0`.
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
        /// The https address of the interface, without a slash at its end.
        public var base: String

        /// Creates the settings of a provider.
        public init(consumer: ClientID, secret: ProviderSecret, base: String) {
            self.consumer = consumer
            self.secret = secret
            self.base = base
        }
    }

    /// The settings of a provider that does not say which app a token was made for.
    ///
    /// A token that a person gave to any app at all would sign in as that person. So a client has to vouch that the
    /// token was made for its own app, and only clients that authenticate can do that.
    public struct Bearer: Sendable, Equatable, Codable {
        /// The https address of the interface, without a slash at its end.
        public var base: String
        /// The clients of this server that are trusted to present only tokens that they got for themselves.
        public var vouchers: [ClientID]

        /// Creates the settings of a provider.
        public init(base: String, vouchers: [ClientID]) {
            self.base = base
            self.vouchers = vouchers
        }
    }
}

extension IdentityProvider.Kind {
    /// The name of the kind, for lists.
    public var name: String {
        switch self {
        case .openID: "openid"
        case .socialGraph: "social-graph"
        case .oauth1: "oauth1"
        case .bearer: "bearer"
        }
    }

    /// The name of this server or its app at the provider; `nil` when it needs none.
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

    /// The apps at the provider that such a token may have been given to beside them.
    public var exchangeParties: [ClientID] {
        switch self {
        case .openID(let settings): settings.exchangeParties
        case .socialGraph, .oauth1, .bearer: []
        }
    }

    /// The rule for the `nonce` of an ID token that is exchanged; `nil` for providers without ID tokens.
    public var exchangeNonce: TokenExchangeNonceRule? {
        switch self {
        case .openID(let settings): settings.exchangeNonce
        case .socialGraph, .oauth1, .bearer: nil
        }
    }

    /// The kind of token of this provider that clients may exchange; `nil` when they may not.
    package var exchanged: TokenTypeIdentifier? {
        switch self {
        case .openID(let settings): settings.exchangeAudiences.isEmpty ? nil : .idToken
        case .socialGraph, .bearer: .accessToken
        case .oauth1: .oauth1Credentials
        }
    }
}
