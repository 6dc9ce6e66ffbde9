internal import CountersignServer
internal import GRDB

/// A change that waits for its turn, with the caller who waits for its commit.
struct PendingChange: Sendable {
    /// Runs the change, inside a transaction in which others count too.
    let attempt: @Sendable (Database, BatchCounts) -> AttemptedChange
    /// Tells the caller that the change did not run.
    let refuse: @Sendable (any Error) -> Void
}

extension PendingChange {
    init<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value,
        for caller: CheckedContinuation<Value, any Error>
    ) {
        attempt = { database, counts in
            let news = NewsSheet()
            let outcome = Result { try body(SQLiteRepositories(database: database, news: news, batchCounts: counts)) }
            var failure: (any Error)?
            if case .failure(let error) = outcome { failure = error }
            return AttemptedChange(
                failure: failure,
                news: failure == nil ? news.noted : [],
                committed: { caller.resume(with: outcome) },
                lost: { caller.resume(throwing: $0) }
            )
        }
        refuse = { caller.resume(throwing: $0) }
    }
}

/// A change that ran, and whose caller is not answered yet.
struct AttemptedChange: Sendable {
    /// What the change threw; its own work is to be rolled back.
    let failure: (any Error)?
    /// What the change changed, to be told once it is durable.
    let news: [StoreNews]
    /// Tells the caller what came of the change, now that everything it saw is durable.
    let committed: @Sendable () -> Void
    /// Tells the caller that the transaction was lost, with all that the change did or saw.
    let lost: @Sendable (any Error) -> Void
}
