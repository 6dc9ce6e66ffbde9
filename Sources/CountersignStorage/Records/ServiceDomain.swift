public import FoundationEssentialsCompat

/// A service for which this server issues tokens: the rules for clients, and the credential of the service.
///
/// Standard: ETSI TS 103 407 §4 (service provider, domain).
public struct ServiceDomain: Sendable, Equatable {
    /// The handling of requests for this domain from a client with a signed-in person.
    public enum SignOn: String, Sendable, Hashable, Codable, CaseIterable {
        /// The person confirms, without a code.
        case ask
        /// The request is approved automatically, if the person signed this client in for a domain of the same group.
        case automatic
        /// The person types a code, as for a new client.
        case never
    }

    /// The shortest and longest life of a token, in seconds: 1 minute to 365 days.
    public static let tokenLifetimes: ClosedRange<TimeInterval> = 60...365 * 86_400

    /// The service's domain.
    public let name: Domain
    /// The service's name on pages.
    public var displayName: String
    /// The digest of the bearer token of the service.
    public var credential: SecretDigest
    /// The handling of requests for this domain from a client with a signed-in person.
    public var signOn: SignOn
    /// The name of its group of domains; `nil` for none.
    public var group: String?
    /// The redirect URIs after the decision; each is compared character by character.
    public var redirectURIs: [String]
    /// The lifetime of a token for the service, in seconds.
    public var tokenLifetime: TimeInterval
    /// The time of its creation.
    public let created: Date

    /// Creates a service to add.
    public init(
        name: Domain,
        displayName: String,
        credential: SecretDigest,
        signOn: SignOn = .ask,
        group: String? = nil,
        redirectURIs: [String] = [],
        tokenLifetime: TimeInterval = 86_400,
        created: Date
    ) {
        self.name = name
        self.displayName = displayName
        self.credential = credential
        self.signOn = signOn
        self.group = group
        self.redirectURIs = redirectURIs
        self.tokenLifetime = tokenLifetime
        self.created = created
    }
}
