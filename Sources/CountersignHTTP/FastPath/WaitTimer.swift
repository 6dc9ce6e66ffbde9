package import Countersign
internal import HeapModule
internal import NIOConcurrencyHelpers

/// Ends waits at their deadlines.
///
/// One task sleeps until the earliest deadline; a task for each wait would take two kilobytes of memory.
package final class WaitTimer: Sendable {
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

    package init(_ clock: TimeSource) {
        self.clock = clock
    }

    /// Ends `wait` at `latest`, if nothing else has ended it by then.
    func add(_ wait: ChangeWaiter, until latest: ContinuousClock.Instant) -> WaitDeadlines<ChangeWaiter>.Number {
        state.withLockedValue { state in
            defer { sleep(&state) }
            return state.deadlines.add(wait, until: latest)
        }
    }

    /// Removes a wait that has ended.
    func remove(_ number: WaitDeadlines<ChangeWaiter>.Number) {
        state.withLockedValue { state in
            state.deadlines.remove(number)
            guard state.deadlines.earliest == nil else { return }
            state.sleeper?.task.cancel()
            state.sleeper = nil
        }
    }

    /// Ensures that a task wakes at the earliest deadline, or before it.
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
            // A task that is cancelled just after it woke up has a successor.
            guard state.sleeper?.until == instant else { return [] }
            state.sleeper = nil
            defer { sleep(&state) }
            return state.deadlines.removeDue(at: max(instant, clock.instant()))
        }
        for wait in over { wait.finish(.timeOver) }
    }
}

/// The deadlines of waits, the earliest first.
struct WaitDeadlines<Wait: Sendable>: Sendable {
    /// The number of a wait, for its removal.
    typealias Number = Int

    private struct Deadline: Comparable, Sendable {
        let instant: ContinuousClock.Instant
        let number: Number

        static func < (left: Deadline, right: Deadline) -> Bool {
            (left.instant, left.number) < (right.instant, right.number)
        }
    }

    /// The deadlines, those of removed waits included; these are never all, nor many more than the waits.
    private var order = Heap<Deadline>()
    private var waits: [Number: Wait] = [:]
    private var last: Number = 0

    /// The earliest deadline; `nil` when nothing waits.
    var earliest: ContinuousClock.Instant? { order.min?.instant }

    /// The number of deadlines in memory.
    var size: Int { order.count }

    mutating func add(_ wait: Wait, until instant: ContinuousClock.Instant) -> Number {
        last += 1
        waits[last] = wait
        order.insert(Deadline(instant: instant, number: last))
        return last
    }

    /// Removes a wait, unless it is over already.
    mutating func remove(_ number: Number) {
        guard waits.removeValue(forKey: number) != nil else { return }
        while let first = order.min, waits[first.number] == nil { order.removeMin() }
        guard order.count > 2 * waits.count + 64 else { return }
        order = Heap(order.unordered.filter { waits[$0.number] != nil })
    }

    /// Removes the waits whose deadlines have passed, and returns them in that order.
    mutating func removeDue(at now: ContinuousClock.Instant) -> [Wait] {
        var over: [Wait] = []
        while let first = order.min, first.instant <= now || waits[first.number] == nil {
            order.removeMin()
            if let wait = waits.removeValue(forKey: first.number) { over.append(wait) }
        }
        return over
    }
}
