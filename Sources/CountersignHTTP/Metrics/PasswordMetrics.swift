public import Countersign
public import CoreMetrics
internal import Metrics

/// The number of passwords in the queue for hashing, and the time until they are hashed.
public struct PasswordMetrics: Sendable {
    private let waiting: Meter
    private let duration: Timer
    private let clock: TimeSource

    /// Counts in `factory`, and measures spans by `clock`.
    public init(_ factory: any MetricsFactory, by clock: TimeSource) {
        waiting = Meter(label: "countersign_password_hashes_waiting", factory: factory)
        duration = Timer(label: "countersign_password_hash_duration_seconds", factory: factory)
        self.clock = clock
    }

    /// Notes that a password begins to wait; returns the current instant.
    package func begin() -> ContinuousClock.Instant {
        waiting.increment()
        return clock.instant()
    }

    /// Notes that a password was hashed; it began to wait at `start`.
    package func hashed(since start: ContinuousClock.Instant) {
        duration.record(duration: clock.instant() - start)
    }

    /// Notes that a password waits no longer: it was hashed, or refused.
    package func end() {
        waiting.decrement()
    }
}
