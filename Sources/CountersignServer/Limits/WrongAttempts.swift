internal import Countersign
internal import Foundation

/// Holds wrong secrets to their limits where right ones come by the thousand: a right one costs no look at a count.
///
/// A wrong one is counted in the store. Who has reached the limit is remembered here, and from then on a right one is
/// turned away as well.
struct WrongAttempts: Sendable {
    let store: any Store
    let limits: Limits
    let blocks = Blocks()

    /// Turns away who is known to have reached the limit.
    ///
    /// - Throws: ``LimitReached``.
    func admit(_ tallies: @autoclosure () -> [Tally]) throws {
        guard !blocks.isEmpty else { return }
        let now = limits.clock.now()
        for tally in tallies() {
            guard let end = blocks.end(of: tally, at: now) else { continue }
            throw limits.reached(tally, until: end, at: now)
        }
    }

    /// Counts a wrong one.
    ///
    /// - Throws: ``LimitReached`` when it came after a limit was reached, at whichever node.
    func count(_ tallies: [Tally]) async throws {
        let counted = tallies.filter { limits.table[$0] != nil }
        guard !counted.isEmpty else { return }
        do {
            try await store.change { [limits] in try limits.admitAndCount(counted, in: $0) }
        } catch let reached as LimitReached {
            let now = limits.clock.now()
            for tally in counted where tally.limit == reached.limit {
                blocks.block(tally, until: now + Double(reached.retryAfter), at: now)
            }
            throw reached
        }
    }
}
