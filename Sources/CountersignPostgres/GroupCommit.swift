#if PostgreSQL
internal import CountersignSQL
internal import CountersignServer
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Collects the changes that arrive while a commit runs, and commits them together.
///
/// One thread takes them from the queue, in order of arrival, and passes them to ``BatchWriter`` in batches.
final class GroupCommit: Sendable {
    /// The most changes in one transaction.
    static let largestBatch = 128

    private struct State {
        var waiting = CircularBuffer<PendingChange>()
        var isSleeping = false
        var isClosed = false
        var hasEnded = false
        var whenEnded: [CheckedContinuation<Void, Never>] = []
    }

    private let state = NIOLockedValueBox(State())
    private let work = DispatchSemaphore(value: 0)

    /// Starts the thread, on which `writer` creates the batch writer.
    init(writer: @escaping @Sendable () -> BatchWriter) {
        let thread = Thread { self.commitUntilClosed(by: writer()) }
        thread.name = "pg-writer"
        thread.start()
    }

    /// Puts a change in the queue, and wakes the writer if it sleeps.
    func add(_ change: PendingChange) {
        let refusal: (any Error)? = state.withLockedValue { state in
            guard !state.isClosed else { return StoreClosed() }
            guard state.waiting.count < StoreQueue.capacity else { return StoreQueue.full }
            state.waiting.append(change)
            wake(in: &state)
            return nil
        }
        if let refusal { change.refuse(refusal) }
    }

    /// Accepts no more changes, and returns when those in the queue are done and the connection is closed.
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

    // MARK: On the writer's thread

    private func commitUntilClosed(by writer: BatchWriter) {
        while let batch = nextBatch() { writer.commit(batch) }
        writer.close()
        let released = state.withLockedValue { state in
            state.hasEnded = true
            return state.whenEnded
        }
        for caller in released { caller.resume() }
    }

    /// The changes that wait, oldest first, as soon as there are some; `nil` when the store is closed and none waits.
    private func nextBatch() -> [PendingChange]? {
        while true {
            let (batch, mustEnd): ([PendingChange], Bool) = state.withLockedValue { state in
                guard state.waiting.isEmpty else {
                    let batch = Array(state.waiting.prefix(Self.largestBatch))
                    state.waiting.removeFirst(batch.count)
                    return (batch, false)
                }
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
struct PendingChange: Sendable {
    let asked: ContinuousClock.Instant
    /// What it will look up.
    let prefetched: [PrefetchedRow]
    /// Runs the change inside a transaction that it shares with others.
    let attempt: @Sendable (PostgresConnection, BatchCache) -> AttemptedChange
    /// Tells the caller that the change did not run.
    let refuse: @Sendable (any Error) -> Void
}

extension PendingChange {
    init<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value,
        prefetching prefetched: [PrefetchedRow],
        for caller: CheckedContinuation<Value, any Error>,
        asked: ContinuousClock.Instant
    ) {
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
                committed: { caller.resume(with: whole.mapError(\.forCallers)) },
                lost: { caller.resume(throwing: $0) }
            )
        }
        refuse = { caller.resume(throwing: $0) }
    }
}

/// A change that ran, but whose caller is not answered yet.
struct AttemptedChange: Sendable {
    /// Whether the change threw, or a statement of it was refused; its work has to be rolled back.
    let failed: Bool
    /// What the change changed, for the observers once it is durable.
    let changes: [StoreChange]
    /// Gives the caller the result, once everything that the change saw is durable.
    let committed: @Sendable () -> Void
    /// Tells the caller that the transaction failed as a whole.
    let lost: @Sendable (any Error) -> Void
}
#endif
