/// The name of a counter in the store, of a limit or another count.
public struct CounterName: Identifier {
    /// The name, such as `guess-per-address`.
    public let rawValue: String
    /// Creates a name from text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// People who were seen at one network address.
    package static let peoplePerAddress = CounterName("people-per-address")
    /// Networks where one person signed in or decided a request.
    package static let knownNetwork = CounterName("known-network")
    /// Turns of unknown networks to guess at one account.
    package static let guessingTurn = CounterName("guessing-turn")
    /// Exchanges of one ID token of another provider.
    package static let exchangePerIDToken = CounterName("exchange-per-id-token")
    /// Uses of one nonce for token exchange.
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
