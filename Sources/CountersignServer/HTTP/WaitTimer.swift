internal import Countersign
internal import HeapModule
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

/// The deadlines of waits, the earliest first.
struct WaitDeadlines<Wait: Sendable>: Sendable {
    /// The number that finds a wait again, to remove it.
    typealias Number = Int

    private struct Deadline: Comparable, Sendable {
        let instant: ContinuousClock.Instant
        let number: Number

        static func < (left: Deadline, right: Deadline) -> Bool {
            (left.instant, left.number) < (right.instant, right.number)
        }
    }

    /// Holds deadlines of removed waits too, but never only those, and never many more than there are waits.
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

    /// Removes a wait; one that is over already is left alone.
    mutating func remove(_ number: Number) {
        guard waits.removeValue(forKey: number) != nil else { return }
        while let first = order.min, waits[first.number] == nil { order.removeMin() }
        guard order.count > 2 * waits.count + 64 else { return }
        order = Heap(order.unordered.filter { waits[$0.number] != nil })
    }

    /// Removes the waits that are over, and returns them in the order of their deadlines.
    mutating func takeOver(at now: ContinuousClock.Instant) -> [Wait] {
        var over: [Wait] = []
        while let first = order.min, first.instant <= now || waits[first.number] == nil {
            order.removeMin()
            if let wait = waits.removeValue(forKey: first.number) { over.append(wait) }
        }
        return over
    }
}
