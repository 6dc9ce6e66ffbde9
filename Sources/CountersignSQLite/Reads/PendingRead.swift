internal import CountersignServer
internal import GRDB

/// A look-up that waits for its turn, with its caller.
struct PendingRead: Sendable {
    /// Looks up, and tells the caller.
    let answer: @Sendable (Database) -> Void
    /// Tells the caller that nothing was looked up.
    let refuse: @Sendable (any Error) -> Void
}

extension PendingRead {
    init<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value,
        for caller: CheckedContinuation<Value, any Error>
    ) {
        answer = { database in
            caller.resume(with: Result { try body(SQLiteRepositories(database: database)) })
        }
        refuse = { caller.resume(throwing: $0) }
    }
}
