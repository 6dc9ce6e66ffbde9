public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// The client and the person behind a request, by a token that was verified.
///
/// Made by ``ResourceGuard`` only, and handed to routes by ``ResourceRequestContext/requireToken()``. It does not hold
/// the token itself.
public struct VerifiedToken: Sendable, Hashable {
    package let facts: TokenFacts

    init(_ facts: TokenFacts) {
        self.facts = facts
    }

    /// The app that holds the token.
    public var client: ClientID? { facts.client }
    /// The person behind the token, by the provider's name for them: stable, and fit to keep things under.
    public var person: Subject? { facts.person }
    /// The user name of the person, letter by letter, if the provider reports it; keep things under ``person``.
    ///
    /// Standard: RFC 7662 §2.2.
    public var username: String? { facts.username }
    /// The display name of the person; it is no identifier.
    public var displayName: String? { facts.displayName }
    /// The scope of the token.
    public var scope: Scope { facts.scope }
    /// The expiry of the token, if known.
    public var expires: Date? { facts.expires }

    /// The time of the person's last authentication, if the token contains it. Standard: RFC 9470 §5.
    public var authenticated: Date? { facts.authenticated }
    /// The class of that authentication (`acr`), if the token contains it.
    public var authenticationClass: String? { facts.authenticationClass }
    /// The proofs of the approval that the token was issued for, if the provider reports them.
    public var evidence: EvidenceClaim? { facts.evidence }

    /// The groups of the person, if the provider reports them.
    public var groups: [GroupName] { facts.groups }

    /// The key that the token is bound to, and that the request proved; `nil` for a bearer token.
    public var key: SenderKey? { facts.key }

    /// Whether the app acts for a person or for itself.
    ///
    /// Standard: ETSI TS 103 407 §4.
    public var mode: CrossPlatformChallenge.Mode { facts.person == nil ? .client : .user }
}
