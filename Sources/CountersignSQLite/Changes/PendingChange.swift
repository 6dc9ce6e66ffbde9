internal import CountersignSQL
internal import CountersignServer

/// A change that waits for its turn, with its caller.
struct PendingChange: QueuedChange {
    let asked: ContinuousClock.Instant
    /// Runs the change inside a transaction that it shares with others.
    let attempt: @Sendable (SQLiteConnection, BatchCache) -> AttemptedChange
    /// Tells the caller that the change did not run.
    let refuse: @Sendable (any Error) -> Void
}

extension PendingChange {
    init<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value,
        for caller: CheckedContinuation<Value, any Error>,
        asked: ContinuousClock.Instant
    ) {
        self.asked = asked
        attempt = { connection, batch in
            let collector = ChangeCollector(in: batch)
            let outcome = Result { try body(SQLRepositories(changing: connection, noting: collector)) }
            var failure: (any Error)?
            if case .failure(let error) = outcome { failure = error }
            return AttemptedChange(
                failure: failure,
                changes: failure == nil ? collector.collected : [],
                committed: { caller.resume(with: outcome) },
                lost: { caller.resume(throwing: $0) }
            )
        }
        refuse = { caller.resume(throwing: $0) }
    }
}

/// A change that ran, but whose caller is not answered yet.
struct AttemptedChange: Sendable {
    /// What the change threw; its work has to be rolled back.
    let failure: (any Error)?
    /// What the change changed, for the observers once it is durable.
    let changes: [StoreChange]
    /// Gives the caller the result, once everything that the change saw is durable.
    let committed: @Sendable () -> Void
    /// Tells the caller that the transaction failed as a whole.
    let lost: @Sendable (any Error) -> Void
}
