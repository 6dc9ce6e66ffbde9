/// Wakes a conversation at its next deadline.
///
/// A postponed deadline leaves the timer running: the conversation is woken early, finds nothing to do, and sets it
/// again. So a busy link does not start a task for every message.
final class DeadlineTimer {
    private let clock: TimeSource
    /// Called at the deadline.
    private let fire: @Sendable () -> Void
    /// The task that waits, and for what.
    private var waiting: (until: ContinuousClock.Instant, task: Task<Void, Never>)?

    /// A timer without a deadline.
    init(clock: TimeSource, fire: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.fire = fire
    }

    /// Fires at `deadline` at the latest; never, if it is `nil`.
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

    func stop() {
        waiting?.task.cancel()
        waiting = nil
    }
}
