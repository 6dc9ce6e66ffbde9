internal import FoundationEssentialsCompat

/// A leaky bucket of wrong attempts, which delays further attempts instead of refusing them.
///
/// The capacity is half of the limit, and one attempt leaks in each ``pause``. The first attempts are not delayed, the
/// next by 1, 2, 4 … seconds, and attempts at a full bucket until there is room. So the longest wait is two minutes,
/// and no span has more attempts than the limit.
struct LeakyBucket: Sendable {
    /// The number of attempts that the bucket holds.
    let capacity: Int
    /// The time that one attempt takes to leak, in seconds.
    let pause: TimeInterval
    /// The number of delays that double, before the bucket is full.
    private let doublings: Int
    /// The span of the limit, in seconds.
    let span: TimeInterval

    /// The longest pause between two attempts, in seconds; with the doubling delays the longest wait is two minutes.
    static let longestPause: TimeInterval = 112.5

    /// The bucket of a limit.
    init(_ limit: Limit) {
        capacity = limit.most / 2 + limit.most % 2
        pause = min(Double(limit.seconds) / Double(limit.most - capacity + 1), Self.longestPause)
        // Half of the capacity is not delayed; the sum of the doubling delays is shorter than a pause.
        let longest = min(pause, LimitRule.longestDelay - pause)
        doublings = (0...min(capacity / 2, 20)).last { Double(1 << $0) - 1 < longest } ?? 0
        span = Double(limit.seconds)
    }

    /// Whether no further attempt has room.
    func isFull(after count: RateCounter, at now: Date) -> Bool {
        guard let drained = count.drained(at: now, lasting: span) else { return false }
        return drained.timeIntervalSince(now) / pause > Double(capacity - 1)
    }

    /// The time of the next attempt; `nil` for now.
    func next(after count: RateCounter, at now: Date) -> Date? {
        next(drained: count.drained(at: now, lasting: span), at: now)
    }

    /// The time of the next attempt, if the bucket is empty at `drained`; `nil` for now.
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
