#if PostgreSQL
internal import Countersign
internal import CountersignSQL
internal import CountersignServer
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers

/// Collects the changes that arrive while a commit runs, and commits them together.
///
/// One thread takes them from the queue, in order of arrival, and passes them to ``BatchWriter`` in batches. It may
/// wait for a commit without end, as for a synchronous standby that is away; a task answers the callers then.
final class GroupCommit: Sendable {
    /// The most changes in one transaction.
    static let largestBatch = 128

    private struct State {
        var queue: ChangeQueue<PendingChange>
        /// Answers callers that wait for too long; `nil` while there is no change.
        var timer: Task<Void, Never>?
        var isSleeping = false
        var isClosed = false
        var hasEnded = false
        var whenEnded: [CheckedContinuation<Void, Never>] = []

        /// Notes that the thread has ended, or is not waited for; returns who waited for it.
        mutating func end() -> [CheckedContinuation<Void, Never>] {
            hasEnded = true
            timer?.cancel()
            defer { whenEnded = [] }
            return whenEnded
        }
    }

    private let clock: TimeSource
    private let state: NIOLockedValueBox<State>
    private let work = DispatchSemaphore(value: 0)

    /// Starts the thread; `writer` creates the batch writer on it.
    init(clock: TimeSource, timeouts: Timeouts, writer: @escaping @Sendable () -> BatchWriter) {
        self.clock = clock
        state = NIOLockedValueBox(
            State(queue: ChangeQueue(longestWait: timeouts.caller, longestCommit: timeouts.commit))
        )
        let thread = Thread { self.commitUntilClosed(by: writer()) }
        thread.name = "pg-writer"
        thread.start()
    }

    /// Puts a change in the queue, and wakes the writer if it sleeps.
    func add(_ change: PendingChange) {
        let refusal: (any Error)? = state.withLockedValue { state in
            guard !state.isClosed else { return StoreClosed() }
            guard state.queue.append(change) else { return StoreQueue.full }
            if state.timer == nil {
                state.timer = OverdueTimer.run(by: clock) { [weak self] in self?.answerOverdue() }
            }
            wake(in: &state)
            return nil
        }
        if let refusal { change.refuse(refusal) }
    }

    /// The time since the oldest uncommitted change was asked for.
    var oldestAge: Duration {
        let now = clock.instant()
        return state.withLockedValue { $0.queue.age(at: now) }
    }

    /// Accepts no more changes, and returns when those in the queue are done and the connection is closed. A commit of
    /// which all callers were answered is not waited for.
    func close() async {
        await withCheckedContinuation { caller in
            let hasEnded = state.withLockedValue { state in
                state.isClosed = true
                wake(in: &state)
                if !state.hasEnded { state.whenEnded.append(caller) }
                return state.hasEnded
            }
            if hasEnded { caller.resume() }
        }
    }

    private func wake(in state: inout State) {
        guard state.isSleeping else { return }
        state.isSleeping = false
        work.signal()
    }

    /// Answers callers that have waited for too long; returns when to check again, `nil` when there is no change.
    private func answerOverdue() -> ContinuousClock.Instant? {
        typealias Found = (
            overdue: OverdueChanges<PendingChange>, next: ContinuousClock.Instant?,
            released: [CheckedContinuation<Void, Never>]
        )
        let now = clock.instant()
        let found: Found = state.withLockedValue { state in
            let overdue = state.queue.takeOverdue(at: now)
            let mustEnd = state.isClosed && state.queue.hasOnlyOverdueBatch
            let next = mustEnd ? nil : state.queue.nextCheck(after: now)
            if next == nil { state.timer = nil }
            return (overdue, next, mustEnd ? state.end() : [])
        }
        found.overdue.answer()
        for caller in found.released { caller.resume() }
        return found.next
    }

    // MARK: On the writer's thread

    private func commitUntilClosed(by writer: BatchWriter) {
        while let batch = nextBatch() { writer.commit(batch) }
        writer.close()
        let released = state.withLockedValue { $0.end() }
        for caller in released { caller.resume() }
    }

    /// The changes that wait, oldest first, as soon as there are some; `nil` when the store is closed and none waits.
    private func nextBatch() -> [PendingChange]? {
        while true {
            let (batch, mustEnd): ([PendingChange], Bool) = state.withLockedValue { state in
                let batch = state.queue.takeBatch(of: Self.largestBatch, at: clock.instant())
                guard batch.isEmpty else { return (batch, false) }
                state.isSleeping = !state.isClosed
                return ([], state.isClosed)
            }
            guard batch.isEmpty else { return batch }
            guard !mustEnd else { return nil }
            work.wait()
        }
    }
}

/// A change that waits for its turn, with its caller.
struct PendingChange: QueuedChange {
    let asked: ContinuousClock.Instant
    /// The rows that it will look up.
    let prefetched: [PrefetchedRow]
    /// Runs the change inside a transaction that it shares with others.
    let attempt: @Sendable (PostgresConnection, BatchCache) -> AttemptedChange
    /// Tells the caller why there is no result, unless it has an answer.
    let refuse: @Sendable (any Error) -> Void
}

extension PendingChange {
    init<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value,
        prefetching prefetched: [PrefetchedRow],
        for caller: CheckedContinuation<Value, any Error>,
        asked: ContinuousClock.Instant
    ) {
        let caller = ChangeCaller(caller)
        self.asked = asked
        self.prefetched = prefetched
        attempt = { connection, batch in
            let collector = ChangeCollector(in: batch)
            let outcome = Result {
                try body(SQLRepositories(changing: connection, noting: collector))
            }
            // After a refused statement the change has failed, even if the closure continued.
            let whole = connection.refusal.map { Result<Value, any Error>.failure($0) } ?? outcome
            var failed = false
            if case .failure = whole { failed = true }
            return AttemptedChange(
                failed: failed,
                changes: failed ? [] : collector.collected,
                committed: { caller.answer(whole.mapError(\.forCallers)) },
                lost: { caller.answer(.failure($0)) }
            )
        }
        refuse = { caller.answer(.failure($0)) }
    }
}

/// The caller of a change. It gets the first answer; the result of a commit that took too long comes later, and is
/// dropped.
private final class ChangeCaller<Value: Sendable>: Sendable {
    private let waiting: NIOLockedValueBox<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) {
        waiting = NIOLockedValueBox(continuation)
    }

    func answer(_ result: Result<Value, any Error>) {
        let continuation = waiting.withLockedValue { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(with: result)
    }
}

/// A change that ran, but whose caller is not answered yet.
struct AttemptedChange: Sendable {
    /// Whether the change threw, or a statement of it was refused; its work has to be rolled back.
    let failed: Bool
    /// The changes of the store, for the observers once they are durable.
    let changes: [StoreChange]
    /// Gives the caller the result, once everything that the change saw is durable, unless it has an answer.
    let committed: @Sendable () -> Void
    /// Tells the caller that the transaction failed as a whole, unless it has an answer.
    let lost: @Sendable (any Error) -> Void
}
#endif
