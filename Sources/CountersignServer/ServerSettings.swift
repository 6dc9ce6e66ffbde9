public import Countersign
public import CountersignWire
public import Tracing

/// An operator's decisions about a server.
///
/// ```swift
/// var settings = ServerSettings(issuer: try Issuer("https://id.example.com"))
/// settings.trustedProxies = [AddressNetwork("127.0.0.1")].compactMap { $0 }
/// settings.longestWait = 30
/// ```
public struct ServerSettings: Sendable {
    /// The base URL of every endpoint and page, which is also the server's name in tokens.
    public var issuer: Issuer
    /// The proxies in front of the server, whose `X-Forwarded-For` is believed.
    public var trustedProxies: [AddressNetwork] = []
    /// The certificate of the server's own TLS; without one it speaks plain HTTP, to a proxy or to this machine.
    public var certificate: ServerCertificate?
    /// Further hosts, each with its port, that browsers on this machine may open pages at.
    public var localHosts: [String] = []
    /// The origins of web pages that may call the endpoints of Cross-Platform Authentication.
    public var crossPlatformOrigins: [WebOrigin] = []
    /// The operator's own Android apps, which may use passkeys of this server.
    public var passkeyApps: Set<AndroidAppOrigin> = []
    /// The longest time that a client may have a token request held open, in seconds.
    public var longestWait = 60
    /// Whether the sign-in page offers "Sign in with your phone", and `/login/phone` answers.
    public var offersSignInWithPhone = true
    /// The lifetime of a browser session, in seconds.
    public var browserSessionLifetime: Double = 12 * 3600
    /// The time between a person's request to delete their account and its removal, in days.
    public var accountRemovalDelay = 14
    /// The time that a lost token answer is repeated to a client that shows nothing but its network, in seconds.
    public var lostAnswerWindow: Double = 3600
    /// Whether `/metrics` is answered on the public address too, beside the listener for operations.
    public var showsMetrics = false
    /// The tracer that gets a span for each request, with those of its database and network below; `nil`, the default,
    /// when nothing is traced.
    public var tracer: (any Tracer)?
    /// The cost of hashing a new password.
    public var passwordCost: PasswordCost = .standard
    /// The number of passwords that are hashed at once, two at most; each takes 128 MiB at the standard cost.
    public var passwordsAtOnce = 2
    /// The rate limits, against guessing and flooding.
    public var limits = Limits()
    /// The least evidence that each of these scope values is granted for. Every client may need more by its
    /// registration.
    public var minimumEvidence: [ScopeWord: ScopeDemands] = [:]
    /// The group that a person has to be in, for each scope value that is not for everybody.
    public var requiredGroups: [ScopeWord: GroupName] = [:]
    /// The apps whose enrolled devices are believed when they say that they verified their person.
    public var userVerifyingApps: Set<ClientID> = []
    /// The lifetime of an audit entry, in seconds.
    public var auditLifetime: Double = 400 * 86_400
    /// Limits for the memory and slowness of connections.
    public var connections = ConnectionLimits()
    /// Whether every DPoP proof needs a nonce of this server, whatever its client is registered for.
    ///
    /// Standard: RFC 9449 §8.
    public var requiresDPoPNonce = false
    /// The policy for registering clients at `/register`; `nil` when it is not mounted.
    ///
    /// Standard: RFC 7591.
    public var registration: RegistrationPolicy?
    /// The settings for client certificates; `nil` when no listener asks for them.
    ///
    /// Standard: RFC 8705.
    public var mutualTLS: MutualTLS?
    /// The longest time that a program may act for a person, in seconds; 0 for not at all.
    public var longestService = Policy().longestService
    /// The rules about scopes that need strong evidence, and about services.
    var policy: Policy {
        var policy = Policy(
            minimumEvidence: minimumEvidence, userVerifyingApps: userVerifyingApps, requiredGroups: requiredGroups)
        policy.longestService = longestService
        return policy
    }

    /// The base addresses of the endpoints: the issuer, and that of the aliases for clients with certificates.
    ///
    /// Standard: RFC 8705 §5.
    var bases: [Issuer] { [issuer] + (mutualTLS.map { [$0.base] } ?? []) }
    /// The ways to reach phones.
    public var delivery = DeliverySettings()
    /// The settings for proving telephone numbers.
    public var phoneNumbers = PhoneNumberSettings()
    /// The device API of the older dialect; `nil` when it is not mounted.
    public var legacyAuthenticator: LegacyAuthenticator?
    /// The signed list of certificates that apps accept; `nil` when none is served.
    public var pins: SignedCertificatePins?
    /// The operator's brand, as people see it on the pages.
    public var brand = Brand()
    /// The language of pages for people who prefer none of those that there are.
    public var language: PageLanguage = .english

    /// Creates the settings that are meant for most servers.
    public init(issuer: Issuer) {
        self.issuer = issuer
    }
}
