public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The client and the person behind a request, by a token that was verified.
///
/// Made by ``ResourceGuard`` only, and handed to routes by ``ResourceRequestContext/requireToken()``. It does not hold
/// the token itself.
public struct VerifiedToken: Sendable, Hashable {
    private let facts: TokenFacts

    init(_ facts: TokenFacts) {
        self.facts = facts
    }

    /// The app that holds the token.
    public var client: ClientID? { facts.client }
    /// The person for whom it acts, by the provider's name for them: stable, and fit to keep things under.
    public var person: Subject? { facts.person }
    /// What the person is called, fit to be shown; it is no identifier.
    public var displayName: String? { facts.displayName }
    /// What the token allows.
    public var scope: Scope { facts.scope }
    /// When the token ends, where that is known.
    public var expires: Date? { facts.expires }

    /// When the person last authenticated, where the token says it. Standard: RFC 9470 §5.
    public var authenticated: Date? { facts.authenticated }
    /// The class of that authentication (`acr`), where the token says it.
    public var authenticationClass: String? { facts.authenticationClass }

    /// The key to which the token is bound, and which the request proved; `nil` for a bearer token.
    public var key: SenderKey? { facts.key }

    /// Whether the app acts for a person or for itself.
    ///
    /// Standard: ETSI TS 103 407 §4.
    public var mode: CrossPlatformChallenge.Mode { facts.person == nil ? .client : .user }
}
