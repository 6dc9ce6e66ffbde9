#if PostgreSQL
internal import CountersignServer

/// A look-up that waits for its turn, with its caller.
struct PendingRead: Sendable {
    let asked: ContinuousClock.Instant
    /// Looks up; what it returns tells the caller.
    let attempt: @Sendable (Connection) -> @Sendable () -> Void
    /// Tells the caller that nothing was looked up.
    let refuse: @Sendable (any Error) -> Void
}

extension PendingRead {
    init<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value,
        for caller: CheckedContinuation<Value, any Error>,
        asked: ContinuousClock.Instant
    ) {
        self.asked = asked
        attempt = { connection in
            let outcome = Result { try body(PostgresRepositories(connection: connection)) }
                .mapError(\.forCallers)
            return { caller.resume(with: outcome) }
        }
        refuse = { caller.resume(throwing: $0) }
    }
}
#endif
