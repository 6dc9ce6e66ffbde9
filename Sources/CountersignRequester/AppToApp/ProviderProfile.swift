public import CountersignWire

/// The facts about a provider that an app needs for sign-in.
///
/// ```swift
/// let anyProvider = ProviderProfile(discoveredAt: try Issuer("https://id.example.com"))
/// let foursquare = ProviderProfile.foursquare
/// ```
///
/// A provider that publishes its metadata is known by its issuer alone (RFC 8414, OpenID Connect Discovery). Others are
/// described by their endpoints.
public struct ProviderProfile: Sendable, Hashable {
    /// The source of the endpoints.
    public enum Endpoints: Sendable, Hashable {
        /// The metadata of this issuer.
        case discovered(at: Issuer)
        /// A description of the provider.
        case fixed(authorization: String, token: String, keys: String?)
    }

    /// The name of the provider in the store, and in `iss`: its issuer, or its address.
    public let name: String
    /// The source of the endpoints.
    public let endpoints: Endpoints
    /// The provider's own app, where it answers other apps by a scheme; `nil` for none.
    public var app: ProviderApp?
    /// Whether the provider redeems codes only for clients with a secret, which no app can keep: a backend does it.
    public var needsBackend = false
    /// Whether an answer without `state` is accepted, from a provider that does not repeat it. Another app can then
    /// inject its own answer while a sign-in is pending; `false` by default.
    public var allowingAnswersWithoutState = false

    /// A provider that publishes its metadata.
    ///
    /// - Parameters:
    ///   - issuer: The provider's issuer; everything else is discovered.
    ///   - app: Its own app, if it is opened by a scheme; none by default.
    ///
    /// Standard: RFC 8414 §3, OpenID Connect Discovery 1.0 §4.
    public init(discoveredAt issuer: Issuer, app: ProviderApp? = nil) {
        name = issuer.text
        endpoints = .discovered(at: issuer)
        self.app = app
    }

    /// A provider without metadata.
    ///
    /// - Parameters:
    ///   - name: The https address that identifies the provider.
    ///   - authorization: The https address of its authorization endpoint.
    ///   - token: The https address of its token endpoint.
    ///   - keys: The https address of its signing keys for ID tokens, whose issuer is `name`; `nil`, the default, for a
    ///     provider without ID tokens.
    ///   - app: Its own app, if it is opened by a scheme; none by default.
    public init(
        named name: String,
        authorization: String,
        token: String,
        keys: String? = nil,
        app: ProviderApp? = nil
    ) {
        self.name = name
        endpoints = .fixed(authorization: authorization, token: token, keys: keys)
        self.app = app
    }
}
