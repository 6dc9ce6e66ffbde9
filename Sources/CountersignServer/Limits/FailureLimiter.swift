internal import Countersign
internal import Foundation

/// Holds wrong secrets to their limits where right ones come by the thousand: a right one costs no look at a count.
///
/// A wrong one is counted in the store. Who has reached the limit is remembered here, and from then on a right one is
/// turned away as well.
struct FailureLimiter: Sendable {
    let store: any Store
    let limits: Limits
    let blocks = BlockCache()

    /// Turns away who is known to have reached the limit.
    ///
    /// - Throws: ``LimitReached``.
    func admit(_ rateKeys: @autoclosure () -> [RateLimitKey]) throws {
        guard !blocks.isEmpty else { return }
        let now = limits.clock.now()
        for rateKey in rateKeys() {
            guard let end = blocks.end(of: rateKey, at: now) else { continue }
            throw limits.reached(rateKey, until: end, at: now)
        }
    }

    /// Counts a wrong one.
    ///
    /// - Throws: ``LimitReached`` when it came after a limit was reached, at whichever node.
    func count(_ rateKeys: [RateLimitKey]) async throws {
        let counted = rateKeys.filter { limits.table[$0] != nil }
        guard !counted.isEmpty else { return }
        do {
            try await store.change { [limits] in try limits.admitAndCount(counted, in: $0) }
        } catch let reached as LimitReached {
            let now = limits.clock.now()
            for rateKey in counted where rateKey.limit == reached.limit {
                blocks.block(rateKey, until: now + Double(reached.retryAfter), at: now)
            }
            throw reached
        }
    }
}
