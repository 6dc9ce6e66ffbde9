#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A leaky bucket of wrong attempts: how long a further attempt is delayed, instead of being refused for good.
///
/// The attempts fill a bucket that holds half of the limit and leaks all the time, one attempt in each ``pause``. The
/// first attempts go on at once, the next after 1, 2, 4 … seconds, and those that find the bucket full when there is
/// room again. So one who comes after a flood waits for two minutes at most, and in no span are there more attempts than
/// the limit allows.
struct LeakyBucket: Sendable {
    /// The number of attempts that the bucket holds.
    let capacity: Int
    /// The time that one attempt takes to leak, in seconds.
    let pause: TimeInterval
    /// The number of delays that double, before the bucket is full.
    private let doublings: Int
    /// The span of the limit, in seconds.
    let span: TimeInterval

    /// The longest pause between two attempts, in seconds: with the delays that double, nobody waits for more than two
    /// minutes.
    static let longestPause: TimeInterval = 112.5

    /// The bucket of a limit.
    init(_ limit: Limit) {
        capacity = limit.most / 2 + limit.most % 2
        pause = min(Double(limit.seconds) / Double(limit.most - capacity + 1), Self.longestPause)
        // Half of the capacity goes on at once; all delays that double together are shorter than a pause.
        let longest = min(pause, LimitRule.longestDelay - pause)
        doublings = (0...min(capacity / 2, 20)).last { Double(1 << $0) - 1 < longest } ?? 0
        span = Double(limit.seconds)
    }

    /// Whether no further attempt has room.
    func isFull(after count: RateCounter, at now: Date) -> Bool {
        guard let drained = count.drained(at: now, lasting: span) else { return false }
        return drained.timeIntervalSince(now) / pause > Double(capacity - 1)
    }

    /// The time of the next attempt after those that were counted; `nil` when it may be made now.
    func next(after count: RateCounter, at now: Date) -> Date? {
        next(drained: count.drained(at: now, lasting: span), at: now)
    }

    /// The time of the next attempt, if everything will have leaked at `drained`; `nil` when it may be made now.
    func next(drained: Date?, at now: Date) -> Date? {
        guard let drained, drained > now else { return nil }
        let level = drained.timeIntervalSince(now) / pause
        // The attempts that have not leaked to the end; instants are exact to less than a thousandth of a second.
        let attempts = (level - 0.001 / pause).rounded(.up)
        let wait: TimeInterval
        if attempts >= Double(capacity) {
            wait = (level - Double(capacity - 1)) * pause + Double(1 << doublings) - 1
        } else {
            let step = Int(attempts) - (capacity - 1 - doublings)
            let passed = (attempts - level) * pause
            wait = step > 0 ? Double(1 << step) - 1 - passed : 0
        }
        return wait > 0.001 ? now + wait : nil
    }
}
