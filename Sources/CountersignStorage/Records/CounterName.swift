public import Countersign

/// The name of a counter in the store: a limit's, or that of something else that is counted there.
public struct CounterName: Identifier {
    /// The name, such as `guess-per-address`.
    public let rawValue: String
    /// Creates a name from text, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// People who are seen at one network address.
    package static let peoplePerAddress = CounterName("people-per-address")
    /// Networks where one person signed in or answered.
    package static let knownNetwork = CounterName("known-network")
    /// Turns to guess at one account, from networks that it does not know.
    package static let guessingTurn = CounterName("guessing-turn")
    /// Uses of one ID token of another provider, which is exchanged once.
    package static let exchangePerIDToken = CounterName("exchange-per-id-token")
    /// Uses of one nonce of this server in an exchange.
    package static let exchangePerNonce = CounterName("exchange-per-nonce")
    /// Uses of one client assertion.
    package static let usesPerAssertion = CounterName("uses-per-assertion")
    /// Uses of one DPoP proof without a nonce.
    package static let usesPerProof = CounterName("uses-per-proof")
    /// Uses of one signed request over the back channel.
    package static let usesPerRequestObject = CounterName("uses-per-request-object")
    /// Access tokens that were revoked and audited.
    package static let revocationsAudited = CounterName("revocations-audited")
    /// Texts that a site sent; each site has its own limit.
    package static let textsPerEnvironment = CounterName("texts-per-environment")
}
