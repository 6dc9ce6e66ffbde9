internal import CountersignHTTP
internal import Tracing
internal import FoundationEssentialsCompat

/// A store whose reads and changes are spans of the request, or the delivery, that makes them.
struct TracedStore: Store {
    private let base: any Store
    private let tracing: ServerTracing

    init(_ base: any Store, tracing: ServerTracing) {
        self.base = base
        self.tracing = tracing
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any Repositories) throws -> Value) async throws -> Value {
        try await read(prefetching: [], body)
    }

    func read<Value: Sendable>(
        prefetching rows: [PrefetchedRow], _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await traced("read") { try await base.read(prefetching: rows, body) }
    }

    func lookUp<Value>(_ body: (any Repositories) throws -> Value) throws -> Value? {
        guard let span = begin("read") else { return try base.lookUp(body) }
        do {
            let found = try base.lookUp(body)
            span.end()
            return found
        } catch {
            throw error.ending(span)
        }
    }

    func change<Value: Sendable>(_ body: @escaping @Sendable (any Repositories) throws -> Value) async throws -> Value {
        try await change(prefetching: [], body)
    }

    func change<Value: Sendable>(
        prefetching rows: [PrefetchedRow], _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await traced("change") { try await base.change(prefetching: rows, body) }
    }

    func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) { base.observe(observer) }

    var oldestChangeAge: Duration { base.oldestChangeAge }

    var isShared: Bool { base.isShared }

    func databaseDate() async throws -> Date? { try await base.databaseDate() }

    private func traced<Value: Sendable>(_ operation: String, _ body: () async throws -> Value) async throws -> Value {
        guard let span = begin(operation) else { return try await body() }
        do {
            let value = try await body()
            span.end()
            return value
        } catch {
            throw error.ending(span)
        }
    }

    private func begin(_ operation: String) -> OpenSpan? {
        tracing.localCall("store \(operation)", ["db.operation.name": .string(operation)])
    }
}

extension Error {
    /// Ends the span of a read or change. Only the database's own errors are failures: closures also throw to refuse.
    fileprivate func ending(_ span: OpenSpan) -> Self {
        span.end(failure: self is StoreUnavailableError || self is StoreClosedError ? "\(type(of: self))" : nil)
        return self
    }
}
