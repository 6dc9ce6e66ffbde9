internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Limits failures (wrong secrets, wrong codes) where successes are too frequent to count each of them.
///
/// A failure is counted in the store. A key that has reached its limit is remembered here, so that further failures cost
/// the store nothing. Where a success could have been guessed, it is refused as well from then on (``admit(_:)``).
struct FailureLimiter: Sendable {
    let store: any Store
    let limits: StoredRateLimiter
    let blocks = BlockCache()

    /// Refuses a key that is known to have reached its limit.
    ///
    /// - Throws: ``LimitReached``.
    func admit(_ rateKeys: @autoclosure () -> [RateLimitKey]) throws {
        let now = limits.clock.now()
        if let (rateKey, end) = block(among: rateKeys, at: now) {
            throw limits.reached(rateKey, until: end, at: now)
        }
    }

    /// Whether ``admit(_:)`` would refuse one of them; counts nothing.
    func isBlocked(_ rateKeys: @autoclosure () -> [RateLimitKey]) -> Bool {
        block(among: rateKeys, at: limits.clock.now()) != nil
    }

    private func block(among rateKeys: () -> [RateLimitKey], at now: Date) -> (RateLimitKey, until: Date)? {
        guard !blocks.isEmpty(at: now) else { return nil }
        for rateKey in rateKeys().withWider {
            if let end = blocks.end(of: rateKey, at: now) { return (rateKey, end) }
        }
        return nil
    }

    /// Counts a failure of what cannot be guessed, whose successes are never refused.
    ///
    /// - Throws: ``LimitReached`` when a limit was reached before, at any node.
    func refuse(_ rateKeys: [RateLimitKey]) async throws {
        try admit(rateKeys)
        try await count(rateKeys)
    }

    /// Counts a failure.
    ///
    /// - Throws: ``LimitReached`` when a limit was reached before, at any node.
    func count(_ rateKeys: [RateLimitKey]) async throws {
        let counted = rateKeys.filter { limits.table[$0] != nil }
        guard !counted.isEmpty else { return }
        do {
            try await store.change { [limits] in try limits.admitAndCount(counted, in: $0) }
        } catch let reached as LimitReached {
            let now = limits.clock.now()
            // Perhaps only one of the network and the larger networks around it has reached its limit.
            let keys = counted.withWider.filter { $0.limit == reached.limit }
            let full = try await store.read { [limits] in try limits.reached(among: keys, in: $0) }
            for rateKey in full {
                blocks.block(rateKey, until: now + Double(reached.retryAfter), at: now)
            }
            throw reached
        }
    }
}
