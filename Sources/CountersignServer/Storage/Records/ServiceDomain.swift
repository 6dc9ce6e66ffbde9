public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A service for which this server issues tokens: what clients get for it, and how the service authenticates.
///
/// Standard: ETSI TS 103 407 §4 (service provider, domain).
public struct ServiceDomain: Sendable, Equatable {
    /// What happens when a client that a person has signed in asks for this domain too.
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
    /// The digest of the token with which the service authenticates.
    public var credential: SecretDigest
    /// What happens when a client that a person has signed in asks for this domain too.
    public var signOn: SignOn
    /// The name of the group of domains that belong together; `nil` for a domain on its own.
    public var group: String?
    /// Where a person's browser may be sent after the decision; each is compared character by character.
    public var redirectURIs: [String]
    /// How long a token for the service is valid, in seconds.
    public var tokenLifetime: TimeInterval
    /// When it was added.
    public let created: Date

    /// Creates a service to add.
    ///
    /// - Parameters:
    ///   - name: The service's domain.
    ///   - displayName: The service's name, to be shown to people.
    ///   - credential: The digest of the token with which it authenticates.
    ///   - signOn: What happens when a client that a person has signed in asks for this domain too; the person is asked
    ///     by default.
    ///   - group: The group of domains that belong together; `nil` by default.
    ///   - redirectURIs: Where a browser may be sent after the decision; nowhere by default.
    ///   - tokenLifetime: How long a token is valid, in seconds, within ``tokenLifetimes``; 1 day by default.
    ///   - created: The current time, by the server's clock.
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
