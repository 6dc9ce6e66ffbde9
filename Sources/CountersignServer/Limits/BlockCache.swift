internal import Foundation
internal import NIOConcurrencyHelpers

/// The rate limit keys that are known at this node to have reached their limit: they are refused without asking the
/// store.
final class BlockCache: Sendable {
    /// The most that are kept. A key that was dropped is found in the store again at its next failure.
    static let capacity = 50_000

    private struct Blocks {
        /// The span for which each key is blocked. Setting the clock back before its beginning ends a block too; then
        /// the store decides.
        var spans: [RateLimitKey: Range<Date>] = [:]
        /// When the last block ends.
        var end = Date.distantPast
    }

    private let blocks = NIOLockedValueBox(Blocks())

    /// How many keys are kept right now.
    var count: Int { blocks.withLockedValue { $0.spans.count } }

    /// Whether no key is blocked at `now`.
    func isEmpty(at now: Date) -> Bool {
        blocks.withLockedValue { blocks in
            if blocks.end <= now, !blocks.spans.isEmpty { blocks.spans = [:] }
            return blocks.spans.isEmpty
        }
    }

    /// Until when `rateKey` is blocked; `nil` when it is not.
    func end(of rateKey: RateLimitKey, at now: Date) -> Date? {
        blocks.withLockedValue { blocks in
            guard let span = blocks.spans[rateKey] else { return nil }
            if span.contains(now) { return span.upperBound }
            blocks.spans[rateKey] = nil
            return nil
        }
    }

    /// Blocks `rateKey` until `end`.
    func block(_ rateKey: RateLimitKey, until end: Date, at now: Date) {
        guard now < end else { return }
        blocks.withLockedValue { blocks in
            if blocks.spans.count >= Self.capacity {
                blocks.spans = blocks.spans.filter { $0.value.contains(now) }
                if blocks.spans.count >= Self.capacity { blocks.spans = [:] }
            }
            blocks.spans[rateKey] = now..<end
            blocks.end = max(blocks.end, end)
        }
    }
}
