public import Countersign
public import CountersignWire

/// What an operator decides about a server.
public struct ServerSettings: Sendable {
    /// The base URL under which everything hangs; also the server's name in tokens.
    public var issuer: Issuer
    /// The proxies in front, whose word on a client's address is taken.
    public var trustedProxies: [AddressNetwork]
    /// The certificate of the server's own TLS; without one it speaks plain HTTP, to a proxy or to this machine.
    public var certificate: ServerCertificate?
    /// Other hosts, each with its port, by which browsers on this machine may ask for pages.
    public var localHosts: [String]
    /// Where web pages come from that may ask the endpoints of Cross-Platform Authentication.
    public var crossPlatformOrigins: [WebOrigin]
    /// The longest time that a requester may hold a token request open, in seconds.
    public var longestWait: Int
    /// How many token requests may be held open at once; more are answered at once.
    public var mostWaiting: Int
    /// How long a browser stays signed in, in seconds.
    public var browserSessionLifetime: Double
    /// Whether `/metrics` is answered to everybody who reaches the server, beside its listener for operations.
    public var showsMetrics: Bool
    /// The cost of hashing a password.
    public var passwordCost: PasswordCost
    /// How often things that can be guessed or flooded are let through.
    public var limits: LimitTable
    /// What is given only to screens before which their person stands, as a phone nearby shows; a code alone does not do.
    public var nearbyScope: Scope
    /// How long an entry of the audit is kept, in seconds.
    public var auditLifetime: Double
    /// How many connections there may be, and how slow.
    public var connections: ConnectionLimits

    public init(
        issuer: Issuer,
        trustedProxies: [AddressNetwork] = [],
        certificate: ServerCertificate? = nil,
        localHosts: [String] = [],
        crossPlatformOrigins: [WebOrigin] = [],
        longestWait: Int = 60,
        mostWaiting: Int = 50_000,
        browserSessionLifetime: Double = 12 * 3600,
        showsMetrics: Bool = false,
        passwordCost: PasswordCost = .standard,
        limits: LimitTable = LimitTable(),
        nearbyScope: Scope = .none,
        auditLifetime: Double = 400 * 86_400,
        connections: ConnectionLimits = ConnectionLimits()
    ) {
        self.issuer = issuer
        self.trustedProxies = trustedProxies
        self.certificate = certificate
        self.localHosts = localHosts
        self.crossPlatformOrigins = crossPlatformOrigins
        self.longestWait = longestWait
        self.mostWaiting = mostWaiting
        self.browserSessionLifetime = browserSessionLifetime
        self.showsMetrics = showsMetrics
        self.passwordCost = passwordCost
        self.limits = limits
        self.nearbyScope = nearbyScope
        self.auditLifetime = auditLifetime
        self.connections = connections
    }
}
