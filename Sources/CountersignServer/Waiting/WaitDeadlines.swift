internal import HeapModule

/// When waits are over, the earliest first.
struct WaitDeadlines<Wait: Sendable>: Sendable {
    /// What finds a wait again, to remove it.
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

    /// How many deadlines are in memory.
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
