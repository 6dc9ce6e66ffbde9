internal import Countersign
internal import FoundationEssentialsCompat

/// The services about tokens: issuing, proofs of possession, first uses and held polls.
final class TokenServices: Sendable {
    let issuer: TokenIssuer
    let proofs: DPoPVerifier
    let firstUses: FirstUses
    /// The times when requests were last polled, at all listeners.
    let polls = PollTimes()
    /// The token requests that are held open.
    let waits: ChangeWaiters
    /// The longest time that a request is held open, in seconds.
    let longestWait: Int
    /// The time that an answer is repeated to a client that shows nothing but its network, in seconds.
    let lostAnswerWindow: TimeInterval

    init(
        _ core: ServerCore,
        proofs: DPoPVerifier,
        waits: ChangeWaiters,
        longestWait: Int,
        lostAnswerWindow: TimeInterval
    ) {
        issuer = TokenIssuer(
            issuer: core.issuer, store: core.store, keys: core.keys, mint: core.mint, clock: core.clock)
        self.proofs = proofs
        firstUses = FirstUses(store: core.store, clock: core.clock)
        self.waits = waits
        self.longestWait = longestWait
        self.lostAnswerWindow = lostAnswerWindow
    }
}
