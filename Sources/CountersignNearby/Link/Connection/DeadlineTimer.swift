internal import Countersign

/// Wakes a conversation when its next deadline is there.
///
/// A deadline that moves away is not followed at once: the conversation is woken early, finds nothing to do, and sets the
/// alarm again. So a busy link does not start a task for every message.
final class DeadlineTimer {
    /// The time.
    private let clock: TimeSource
    /// Called when the deadline is there.
    private let fire: @Sendable () -> Void
    /// The task that waits, and for what.
    private var waiting: (until: ContinuousClock.Instant, task: Task<Void, Never>)?

    /// A timer that waits for nothing.
    init(clock: TimeSource, fire: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.fire = fire
    }

    /// Rings at `deadline` at the latest; never, without one.
    func set(_ deadline: ContinuousClock.Instant?) {
        guard let deadline else { return stop() }
        if let waiting, waiting.until <= deadline { return }
        stop()
        let (clock, fire) = (clock, fire)
        let task = Task {
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            fire()
        }
        waiting = (deadline, task)
    }

    /// It has rung, or is not wanted any more.
    func stop() {
        waiting?.task.cancel()
        waiting = nil
    }
}
