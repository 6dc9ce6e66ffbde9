internal import Countersign
internal import Foundation
internal import NIOConcurrencyHelpers

/// When each request was last polled, in bounded memory.
///
/// There are two generations: when the younger one is full it becomes the older one, and the older one is dropped. A
/// request that was dropped may poll once too early.
final class PollTimes: Sendable {
    private struct Times {
        var young: [SignInRequest.ID: Date] = [:]
        var old: [SignInRequest.ID: Date] = [:]

        func last(_ id: SignInRequest.ID) -> Date? { young[id] ?? old[id] }

        mutating func note(_ id: SignInRequest.ID, at now: Date, capacity: Int) {
            if young.count >= capacity, young[id] == nil {
                old = young
                young = [:]
            }
            young[id] = now
        }
    }

    /// How much earlier than its interval a poll may come, in seconds, since networks delay unevenly.
    private static let tolerance: TimeInterval = 0.25

    private let times = NIOLockedValueBox(Times())
    private let capacity: Int

    /// Remembers at least `capacity` requests, and at most twice as many.
    init(capacity: Int = 100_000) {
        self.capacity = capacity
    }

    /// How many polls are remembered right now; one that is in both generations counts twice.
    var count: Int { times.withLockedValue { $0.young.count + $0.old.count } }

    /// Notes a poll, and returns whether it came earlier than `interval` seconds after the one before.
    func isTooFast(_ id: SignInRequest.ID, interval: Int, at now: Date) -> Bool {
        times.withLockedValue { times in
            let last = times.last(id)
            times.note(id, at: now, capacity: capacity)
            return Self.isTooFast(after: last, interval: interval, at: now)
        }
    }

    /// Notes a poll that comes late enough, and returns `nil`; otherwise returns in how many seconds one would.
    func secondsToNext(_ id: SignInRequest.ID, interval: Int, at now: Date) -> Int? {
        times.withLockedValue { times in
            guard let last = times.last(id), Self.isTooFast(after: last, interval: interval, at: now) else {
                times.note(id, at: now, capacity: capacity)
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
        times.withLockedValue { times in
            times.young[id] = nil
            times.old[id] = nil
        }
    }
}
