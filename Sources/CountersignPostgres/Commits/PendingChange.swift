#if PostgreSQL
internal import CountersignServer

/// A change that waits for its turn, with the caller who waits for its commit.
struct PendingChange: Sendable {
    let asked: ContinuousClock.Instant
    /// Runs the change, inside a transaction in which others count too.
    let attempt: @Sendable (Connection, BatchCounts) -> AttemptedChange
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
        attempt = { connection, counts in
            let news = NewsSheet()
            let outcome = Result {
                try body(PostgresRepositories(connection: connection, news: news, batchCounts: counts))
            }
            // Once a statement was refused nothing counts, even if the closure went on.
            let whole = connection.refusal.map { Result<Value, any Error>.failure($0) } ?? outcome
            var failed = false
            if case .failure = whole { failed = true }
            return AttemptedChange(
                failed: failed,
                news: failed ? [] : news.noted,
                committed: { caller.resume(with: whole.mapError(\.forCallers)) },
                lost: { caller.resume(throwing: $0) }
            )
        }
        refuse = { caller.resume(throwing: $0) }
    }
}

/// A change that ran, and whose caller is not answered yet.
struct AttemptedChange: Sendable {
    /// Whether the change threw, or a statement of it was refused; its own work is to be rolled back.
    let failed: Bool
    /// What the change changed, to be told once it is durable.
    let news: [StoreNews]
    /// Tells the caller what came of the change, now that everything it saw is durable.
    let committed: @Sendable () -> Void
    /// Tells the caller that the transaction was lost, with all that the change did or saw.
    let lost: @Sendable (any Error) -> Void
}
#endif
