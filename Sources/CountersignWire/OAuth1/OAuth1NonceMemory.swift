package import FoundationEssentialsCompat

/// Remembers the nonces of verified requests in a bounded amount of memory, and refuses a request that comes again.
///
/// Once it is full, the older half is dropped, and requests as old as the dropped ones are refused: a flood makes it
/// stricter and never larger. Only verified requests are stored, so that a stranger cannot fill it. After a restart it
/// knows nothing: a request that was captured before is accepted once more while its timestamp is good. If that
/// matters, use an ``OAuth1NonceStore`` that lasts.
///
/// Standard: RFC 5849 §3.3, §4.11.
package struct OAuth1NonceMemory: Sendable {
    private var memory: ReplayMemory

    /// An empty memory.
    ///
    /// - Parameter capacity: The number of requests that it remembers at least; twice as many at most. It should be
    ///   more than come in twice the window, since new requests are refused otherwise. 100,000 by default, which is 160
    ///   a second.
    package init(capacity: Int = 100_000) { memory = ReplayMemory(capacity: capacity) }

    /// The number of requests that it remembers now.
    package var count: Int { memory.count }

    /// Marks a request as used, atomically with the check whether it was used before.
    ///
    /// - Parameter request: The request; PLAINTEXT without a nonce can always be used.
    /// - Throws: ``OAuth1Error`` `usedNonce` when it was used before, `staleTimestamp` when it may have been.
    package mutating func use(_ request: VerifiedOAuth1Request, at now: Date) throws(OAuth1Error) {
        guard let nonce = request.nonce else { return }
        try answer(to: nonce, at: now).requireNew()
    }

    /// Stores a request, and returns whether it was stored before.
    mutating func answer(to nonce: OAuth1NonceUse, at now: Date) -> OAuth1NonceAnswer {
        switch memory.use(nonce.digest, made: nonce.earliest, at: now) {
        case .new: .new
        case .used: .used
        case .tooOld: .tooOld
        }
    }
}
