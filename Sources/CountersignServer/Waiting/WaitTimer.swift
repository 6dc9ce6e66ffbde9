internal import Countersign
internal import NIOConcurrencyHelpers

/// Ends waits when their time is over.
///
/// One task sleeps until the earliest deadline of all; a task for each wait would take two kilobytes of memory.
final class WaitTimer: Sendable {
    private struct Sleeper {
        let until: ContinuousClock.Instant
        let task: Task<Void, Never>
    }

    private struct State {
        var deadlines = WaitDeadlines<ChangeWaiter>()
        var sleeper: Sleeper?
    }

    private let clock: TimeSource
    private let state = NIOLockedValueBox(State())

    init(_ clock: TimeSource) {
        self.clock = clock
    }

    /// Ends `wait` at `latest`, if nothing else has ended it by then.
    func add(_ wait: ChangeWaiter, until latest: ContinuousClock.Instant) -> WaitDeadlines<ChangeWaiter>.Number {
        state.withLockedValue { state in
            defer { sleep(&state) }
            return state.deadlines.add(wait, until: latest)
        }
    }

    /// Forgets a wait that has ended.
    func remove(_ number: WaitDeadlines<ChangeWaiter>.Number) {
        state.withLockedValue { state in
            state.deadlines.remove(number)
            guard state.deadlines.earliest == nil else { return }
            state.sleeper?.task.cancel()
            state.sleeper = nil
        }
    }

    /// Makes sure that a task sleeps until the earliest deadline, or wakes before it.
    private func sleep(_ state: inout State) {
        guard let earliest = state.deadlines.earliest else { return }
        if let sleeper = state.sleeper {
            guard earliest < sleeper.until else { return }
            sleeper.task.cancel()
        }
        // Detached, since it outlives the request that begins it.
        let task = Task.detached { [self] in
            guard (try? await clock.sleep(until: earliest)) != nil else { return }
            wake(at: earliest)
        }
        state.sleeper = Sleeper(until: earliest, task: task)
    }

    private func wake(at instant: ContinuousClock.Instant) {
        let over = state.withLockedValue { state -> [ChangeWaiter] in
            // Another task sleeps by now, if this one was cancelled just after it woke up.
            guard state.sleeper?.until == instant else { return [] }
            state.sleeper = nil
            defer { sleep(&state) }
            return state.deadlines.takeOver(at: max(instant, clock.instant()))
        }
        for wait in over { wait.finish(.timeOver) }
    }
}
