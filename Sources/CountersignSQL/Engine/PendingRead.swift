package import CountersignStorage

/// A queued lookup, with its caller.
package struct PendingRead<Connection: SQLConnection>: Sendable {
    package let asked: ContinuousClock.Instant
    /// The rows that it will look up.
    package let prefetched: [PrefetchedRow]
    /// Whether it announced its rows.
    package var isAnnounced: Bool { !prefetched.isEmpty }
    /// Looks up; the returned closure answers the caller.
    package let attempt: @Sendable (Connection, PrefetchedRows?) -> @Sendable () -> Void
    /// Reports to the caller that nothing was looked up.
    package let refuse: @Sendable (any Error) -> Void
}

extension PendingRead {
    package init<Value: Sendable>(
        for caller: CheckedContinuation<Value, any Error>,
        asked: ContinuousClock.Instant,
        prefetching prefetched: [PrefetchedRow] = [],
        _ body: @escaping @Sendable (Connection, PrefetchedRows?) throws -> Value
    ) {
        self.asked = asked
        self.prefetched = prefetched
        attempt = { connection, prefetched in
            let result = Result { try body(connection, prefetched) }
            return { caller.resume(with: result) }
        }
        refuse = { caller.resume(throwing: $0) }
    }

    package init<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value,
        prefetching prefetched: [PrefetchedRow] = [],
        for caller: CheckedContinuation<Value, any Error>,
        asked: ContinuousClock.Instant
    ) {
        self.init(for: caller, asked: asked, prefetching: prefetched) { connection, prefetched in
            try body(SQLRepositories(reading: connection, prefetched: prefetched))
        }
    }
}
