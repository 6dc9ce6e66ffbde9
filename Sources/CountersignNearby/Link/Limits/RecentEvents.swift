/// Events that are not older than a span, some thousands at most, which are counted one by one.
struct RecentEvents<Key: Hashable & Sendable>: Sendable {
    /// The events, the oldest first.
    private var events: [(key: Key, at: ContinuousClock.Instant)] = []
    /// How long an event counts.
    private let span: Duration

    /// No events.
    init(within span: Duration) {
        self.span = span
    }

    /// How many events of a key are not too old.
    mutating func count(of key: Key, at now: ContinuousClock.Instant) -> Int {
        forget(at: now)
        return events.count { $0.key == key }
    }

    /// How many events are not too old.
    mutating func count(at now: ContinuousClock.Instant) -> Int {
        forget(at: now)
        return events.count
    }

    /// Counts an event.
    mutating func add(_ key: Key, at now: ContinuousClock.Instant) {
        events.append((key, now))
    }

    /// Removes events that are too old.
    private mutating func forget(at now: ContinuousClock.Instant) {
        events.removeAll { $0.at + span <= now }
    }
}
