/// Bounds the time of work that has no bound, or a looser one.
enum TimeLimit {
    /// Runs `work` for no longer than `limit`; then cancels it, and waits until it has ended.
    ///
    /// - Throws: ``TransportError`` `timedOut`, or what `work` throws.
    static func run<Value: Sendable>(
        _ limit: Duration,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw TransportError(.timedOut, because: "no whole answer within \(limit)")
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
