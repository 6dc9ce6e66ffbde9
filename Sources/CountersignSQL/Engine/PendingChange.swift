package import CountersignStorage
internal import NIOConcurrencyHelpers

/// A change that waits for its turn, with its caller.
package struct PendingChange<Connection: SQLConnection>: QueuedChange {
    package let asked: ContinuousClock.Instant
    /// The rows that it will look up.
    package let prefetched: [PrefetchedRow]
    /// Runs the change inside a transaction that it shares with others.
    package let attempt: @Sendable (Connection, BatchCache) -> AttemptedChange
    /// Reports the error to the caller, unless it has an answer.
    package let refuse: @Sendable (any Error) -> Void
}

extension PendingChange {
    package init<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value,
        prefetching prefetched: [PrefetchedRow] = [],
        for caller: CheckedContinuation<Value, any Error>,
        asked: ContinuousClock.Instant
    ) {
        let caller = ChangeCaller(caller)
        self.asked = asked
        self.prefetched = prefetched
        attempt = { connection, batch in
            let collector = ChangeCollector(in: batch)
            let result = Result { try body(SQLRepositories(changing: connection, noting: collector)) }
            // After a refused statement the change has failed, even if the closure continued.
            let whole = connection.failure.map(Result<Value, any Error>.failure) ?? result
            var failure: (any Error)?
            if case .failure(let error) = whole { failure = error }
            return AttemptedChange(
                failure: failure,
                changes: failure == nil ? collector.collected : [],
                committed: { caller.answer(whole) },
                lost: { caller.answer(.failure($0)) }
            )
        }
        refuse = { caller.answer(.failure($0)) }
    }
}

/// A change that ran, but whose caller is not answered yet.
package struct AttemptedChange: Sendable {
    /// The error that the change threw, or for which a statement of it was refused; its work has to be rolled back.
    package let failure: (any Error)?
    /// The changes of the store, for the observers once they are durable.
    package let changes: [StoreChange]
    /// Gives the caller the result, once everything that the change saw is durable, unless it has an answer.
    package let committed: @Sendable () -> Void
    /// Reports to the caller that the whole transaction failed, unless it has an answer.
    package let lost: @Sendable (any Error) -> Void
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
