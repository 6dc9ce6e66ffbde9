public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A service that this server issues tokens for: the terms for clients, and the credential of the service.
///
/// Standard: ETSI TS 103 407 §4 (service provider, domain).
public struct ServiceDomain: Sendable, Equatable {
    /// The treatment of a client that a person has signed in when it asks for this domain too.
    public enum SignOn: String, Sendable, Hashable, Codable, CaseIterable {
        /// The person is asked to confirm, without a code.
        case ask
        /// The request is approved without asking, if the person signed this client in for a domain of the same group.
        case automatic
        /// The person types a code, as if the client were new.
        case never
    }

    /// The shortest and longest life of a token, in seconds: 1 minute to 365 days.
    public static let tokenLifetimes: ClosedRange<TimeInterval> = 60...365 * 86_400

    /// The service's domain.
    public let name: Domain
    /// The service's name, to be shown to people.
    public var displayName: String
    /// The digest of the token that authenticates the service.
    public var credential: SecretDigest
    /// The treatment of a client that a person has signed in when it asks for this domain too.
    public var signOn: SignOn
    /// The name of the group of domains that belong together; `nil` for a domain on its own.
    public var group: String?
    /// The addresses that a person's browser may be sent to after the decision; each is compared character by
    /// character.
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
