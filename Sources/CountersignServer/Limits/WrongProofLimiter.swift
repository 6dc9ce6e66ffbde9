internal import FoundationEssentialsCompat

/// Limits wrong proofs that cannot be guessed: secrets, tokens, device codes, signatures. It never affects a right one.
///
/// The counts are in the store. A network that has reached its limit is cached, so that further wrong proofs need no
/// look-up.
struct WrongProofLimiter: Sendable {
    let store: any Store
    let limits: StoredRateLimiter
    private let blocks = BlockCache()

    init(store: any Store, limits: StoredRateLimiter) {
        self.store = store
        self.limits = limits
    }

    /// Counts a wrong proof from an address.
    ///
    /// - Throws: ``RateLimitError`` when the limit was reached before, at any node; ``StoreUnavailableError``.
    func refuse(from address: String?) async throws {
        let rateKeys = RateLimitKey.address(.wrongProofPerAddress, address).withWider
        guard rateKeys.contains(where: { limits.limits[$0] != nil }) else { return }
        let now = limits.clock.now()
        if !blocks.isEmpty(at: now) {
            for rateKey in rateKeys {
                if let end = blocks.end(of: rateKey, at: now) {
                    throw RateLimitError(rateKey.rule, until: end, at: now)
                }
            }
        }
        let full = try await store.change { [limits] repositories -> [(RateLimitKey, Date)] in
            let full = try rateKeys.compactMap { rateKey in
                try limits.end(of: rateKey, in: repositories, at: now).map { (rateKey, $0) }
            }
            if full.isEmpty { try limits.count(rateKeys, in: repositories) }
            return full
        }
        for (rateKey, end) in full { blocks.block(rateKey, until: end, at: now) }
        if let (rateKey, end) = full.first { throw RateLimitError(rateKey.rule, until: end, at: now) }
    }

    /// Forgets at this node that keys have reached their limit; the store decides again.
    func forget(_ rateKeys: [RateLimitKey]) {
        for rateKey in rateKeys { blocks.unblock(rateKey) }
    }
}
