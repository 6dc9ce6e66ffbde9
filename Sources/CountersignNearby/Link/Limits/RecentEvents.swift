/// Events of a kind that are not older than a span, and so few that they can be counted one by one.
struct RecentEvents<Key: Hashable & Sendable>: Sendable {
    private var events: [(key: Key, at: ContinuousClock.Instant)] = []
    private let span: Duration

    init(within span: Duration) {
        self.span = span
    }

    mutating func count(of key: Key, at now: ContinuousClock.Instant) -> Int {
        forget(at: now)
        return events.count { $0.key == key }
    }

    mutating func count(at now: ContinuousClock.Instant) -> Int {
        forget(at: now)
        return events.count
    }

    mutating func add(_ key: Key, at now: ContinuousClock.Instant) {
        events.append((key, now))
    }

    private mutating func forget(at now: ContinuousClock.Instant) {
        events.removeAll { $0.at + span <= now }
    }
}
