internal import Countersign
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

/// The time of each request's last poll, in the memory of this node. Memory is bounded: a request that was dropped from
/// it may be polled once too early.
final class PollTimes: Sendable {
    /// The tolerance for a poll before its interval is over, in seconds, since networks delay unevenly.
    private static let tolerance: TimeInterval = 0.25

    private let times: NIOLockedValueBox<SecondChanceCache<SignInRequest.ID, Date>>

    /// Remembers at most `capacity` requests.
    init(capacity: Int = 200_000) {
        times = NIOLockedValueBox(SecondChanceCache(capacity: capacity))
    }

    /// The number of requests that are remembered right now.
    var count: Int { times.withLockedValue { $0.count } }

    /// Notes a poll, and returns whether it came earlier than `interval` seconds after the one before.
    func isTooFast(_ id: SignInRequest.ID, interval: Int, at now: Date) -> Bool {
        times.withLockedValue { times in
            let last = times.peek(id)
            times.put(now, for: id)
            return Self.isTooFast(after: last, interval: interval, at: now)
        }
    }

    /// Notes a poll that is not too early, and returns `nil`; otherwise returns after how many seconds the next poll is
    /// allowed.
    func secondsToNext(_ id: SignInRequest.ID, interval: Int, at now: Date) -> Int? {
        times.withLockedValue { times in
            guard let last = times.peek(id), Self.isTooFast(after: last, interval: interval, at: now) else {
                times.put(now, for: id)
                return nil
            }
            return max(1, Int((TimeInterval(interval) - now.timeIntervalSince(last)).rounded(.up)))
        }
    }

    private static func isTooFast(after last: Date?, interval: Int, at now: Date) -> Bool {
        guard let last else { return false }
        let passed = now.timeIntervalSince(last)
        // A clock that was set back must not make a poll early.
        return passed >= 0 && passed < TimeInterval(interval) - tolerance
    }

    /// Lets the next poll come at once.
    func forget(_ id: SignInRequest.ID) {
        times.withLockedValue { $0.remove(id) }
    }
}
