internal import Foundation
internal import NIOConcurrencyHelpers

/// Who has reached a limit, as far as this node knows: turned away without a look into the store.
final class BlockCache: Sendable {
    /// The most that are remembered; whoever is forgotten is found in the store again at their next wrong attempt.
    static let capacity = 50_000

    /// From when until when. A clock that was set back before its beginning ends it too: the store knows better.
    private let spans = NIOLockedValueBox<[RateLimitKey: Range<Date>]>([:])

    var isEmpty: Bool { spans.withLockedValue(\.isEmpty) }

    /// Until when `rateKey` is blocked; `nil` when it is not.
    func end(of rateKey: RateLimitKey, at now: Date) -> Date? {
        spans.withLockedValue { spans in
            guard !spans.isEmpty, let span = spans[rateKey] else { return nil }
            if span.contains(now) { return span.upperBound }
            spans[rateKey] = nil
            return nil
        }
    }

    func block(_ rateKey: RateLimitKey, until end: Date, at now: Date) {
        guard now < end else { return }
        spans.withLockedValue { spans in
            if spans.count >= Self.capacity {
                spans = spans.filter { $0.value.contains(now) }
                if spans.count >= Self.capacity { spans = [:] }
            }
            spans[rateKey] = now..<end
        }
    }
}
