internal import NIOConcurrencyHelpers
internal import FoundationEssentialsCompat

/// The rate limit keys that have reached their limit, which this node refuses without a look-up.
final class BlockCache: Sendable {
    /// The maximum number of keys; the store still has a dropped key.
    static let capacity = 50_000

    private struct Blocks {
        /// The span of each block. A clock that is set back before its beginning ends a block, too; then the store
        /// decides.
        var spans = SecondChanceCache<RateLimitKey, Range<Date>>(capacity: BlockCache.capacity)
        /// The end of the last block.
        var end = Date.distantPast
    }

    private let blocks = NIOLockedValueBox(Blocks())

    /// The number of keys.
    var count: Int { blocks.withLockedValue { $0.spans.count } }

    /// Whether no key is blocked at `now`.
    func isEmpty(at now: Date) -> Bool {
        blocks.withLockedValue { blocks in
            if blocks.end <= now, !blocks.spans.isEmpty { blocks.spans.removeAll() }
            return blocks.spans.isEmpty
        }
    }

    /// The end of the block of `rateKey`; `nil` when it is not blocked.
    func end(of rateKey: RateLimitKey, at now: Date) -> Date? {
        blocks.withLockedValue { blocks in
            guard let span = blocks.spans.use(rateKey) else { return nil }
            if span.contains(now) { return span.upperBound }
            blocks.spans.remove(rateKey)
            return nil
        }
    }

    /// Blocks `rateKey` until `end`.
    func block(_ rateKey: RateLimitKey, until end: Date, at now: Date) {
        guard now < end else { return }
        blocks.withLockedValue { blocks in
            blocks.spans.put(now..<end, for: rateKey)
            blocks.end = max(blocks.end, end)
        }
    }

    /// Ends the block of `rateKey`; then the store decides.
    func unblock(_ rateKey: RateLimitKey) {
        blocks.withLockedValue { $0.spans.remove(rateKey) }
    }
}
