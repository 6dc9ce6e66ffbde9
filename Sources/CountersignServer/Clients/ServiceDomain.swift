public import Countersign
public import Foundation

/// A service whose tokens this server issues: what a client gets for it, and how the service proves itself.
///
/// Standard: ETSI TS 103 407 §4 (service provider, domain).
public struct ServiceDomain: Sendable, Equatable {
    /// What happens when a client that a person has signed in asks for this domain too.
    public enum SignOn: String, Sendable, Hashable, Codable, CaseIterable {
        /// The person is asked to confirm, without a code.
        case ask
        /// Nobody is asked, if the person signed this client in for a domain of the same group.
        case automatic
        /// The person types a code, as if the client were new.
        case never
    }

    /// The shortest and longest life of a token, in seconds.
    public static let tokenLifetimes: ClosedRange<TimeInterval> = 60...365 * 86_400

    public let name: Domain
    /// What people are shown as the service's name.
    public var displayName: String
    /// What remains of the token by which the service proves itself.
    public var credential: SecretDigest
    public var signOn: SignOn
    /// The name of the group of domains that belong together; `nil` for a domain on its own.
    public var group: String?
    /// Where a person's browser may be sent after their decision, each compared letter by letter.
    public var redirectURIs: [String]
    /// How long a token for it is good, in seconds.
    public var tokenLifetime: TimeInterval
    public let created: Date

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
