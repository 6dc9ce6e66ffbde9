import Countersign
import CountersignSQL
import CountersignServer
import CountersignTesting
import NIOConcurrencyHelpers
import Testing

@Suite("The queue of changes")
struct ChangeQueueTests {
    private struct Change: QueuedChange {
        let name: String
        let asked: ContinuousClock.Instant
        let refuse: @Sendable (any Error) -> Void
    }

    private let start = ManualClock().instant
    private let refusals = NIOLockedValueBox<[String: StoreUnavailableError.Code]>([:])

    @Test func `hands its changes out in batches, in the order in which they came`() {
        var queue = queue()
        let areAdded = (0..<5).map { queue.append(change("\($0)")) }
        #expect(areAdded == Array(repeating: true, count: 5))
        #expect(queue.takeBatch(of: 2, at: start).map(\.name) == ["0", "1"])
        #expect(queue.takeBatch(of: 9, at: start).map(\.name) == ["2", "3", "4"])
        #expect(queue.takeBatch(of: 9, at: start).isEmpty)
    }

    @Test func `takes no more than its capacity`() {
        var queue = queue()
        let areAdded = (0...StoreQueue.capacity).map { _ in queue.append(change("")) }
        #expect(areAdded == Array(repeating: true, count: StoreQueue.capacity) + [false])
    }

    @Test func `refuses a change that has waited for too long, and keeps later ones`() {
        var queue = queue()
        _ = queue.append(change("first"))
        _ = queue.append(change("second", after: .seconds(1)))
        queue.takeOverdue(at: start + .milliseconds(4_999)).answer()
        #expect(refusals.withLockedValue { $0 } == [:])
        queue.takeOverdue(at: start + .seconds(5)).answer()
        #expect(refusals.withLockedValue { $0 } == ["first": .notDone])
        #expect(queue.takeBatch(of: 9, at: start + .seconds(5)).map(\.name) == ["second"])
    }

    @Test func `answers the callers of a batch that takes too long, once`() {
        var queue = queue()
        _ = queue.append(change("first"))
        _ = queue.takeBatch(of: 9, at: start + .seconds(2))
        queue.takeOverdue(at: start + .seconds(16)).answer()
        #expect(!queue.hasOnlyOverdueBatch)
        let overdue = queue.takeOverdue(at: start + .seconds(17))
        overdue.answer()
        #expect(overdue.waited.isEmpty && queue.hasOnlyOverdueBatch)
        #expect(refusals.withLockedValue { $0 } == ["first": .outcomeUnknown])
        #expect(queue.takeOverdue(at: start + .seconds(99)).committing.isEmpty)
    }

    @Test func `waits for a batch without end where no time is set for it`() {
        var queue = ChangeQueue<Change>(longestWait: .seconds(5))
        _ = queue.append(change("first"))
        _ = queue.takeBatch(of: 9, at: start)
        #expect(queue.takeOverdue(at: start + .seconds(3_600)).committing.isEmpty)
        #expect(queue.nextCheck(after: start) == start + .seconds(5))
    }

    @Test func `knows for how long its oldest change waits, until the commit of that ends`() {
        var queue = queue()
        #expect(queue.age(at: start) == .zero)
        _ = queue.append(change("first"))
        _ = queue.takeBatch(of: 9, at: start + .seconds(1))
        _ = queue.append(change("second", after: .seconds(8)))
        #expect(queue.age(at: start + .seconds(9)) == .seconds(9))
        _ = queue.takeOverdue(at: start + .seconds(20))
        #expect(queue.age(at: start + .seconds(20)) == .seconds(20))
        _ = queue.takeBatch(of: 9, at: start + .seconds(21))
        #expect(queue.age(at: start + .seconds(21)) == .zero)
    }

    @Test func `says when it has to be checked, and never for a moment that has passed`() {
        var queue = queue()
        #expect(queue.nextCheck(after: start) == nil)
        _ = queue.append(change("first"))
        #expect(queue.nextCheck(after: start + .seconds(1)) == start + .seconds(5))
        _ = queue.takeBatch(of: 9, at: start + .seconds(1))
        #expect(queue.nextCheck(after: start + .seconds(1)) == start + .seconds(6))
        #expect(queue.nextCheck(after: start + .seconds(14)) == start + .seconds(16))
        _ = queue.takeOverdue(at: start + .seconds(16))
        #expect(queue.nextCheck(after: start + .seconds(16)) == start + .seconds(21))
        _ = queue.takeBatch(of: 9, at: start + .seconds(17))
        #expect(queue.nextCheck(after: start + .seconds(17)) == nil)
    }

    @Test func `is checked when it asked for that, until it asks no more`() async {
        let (clock, checks) = (ManualClock(), NIOLockedValueBox(0))
        let timer = OverdueTimer.run(by: clock.source) { () -> ContinuousClock.Instant? in
            let check = checks.withLockedValue { checks in
                checks += 1
                return checks
            }
            return check < 3 ? clock.instant + .seconds(5) : nil
        }
        for check in 1...2 {
            await clock.sleeps(check)
            #expect(checks.withLockedValue { $0 } == check)
            clock.advance(by: .seconds(5))
        }
        await timer.value
        #expect(checks.withLockedValue { $0 } == 3)
    }

    private func queue() -> ChangeQueue<Change> {
        ChangeQueue(longestWait: .seconds(5), longestCommit: .seconds(15))
    }

    private func change(_ name: String, after span: Duration = .zero) -> Change {
        Change(name: name, asked: start + span) { [refusals] error in
            refusals.withLockedValue { $0[name] = (error as? StoreUnavailableError)?.code }
        }
    }
}
