internal import CountersignSQL
package import CountersignStorage
internal import GRDB
internal import NIOConcurrencyHelpers

/// A store in one SQLite database in memory, for dry runs, and for tests that need many of them: the same tables, statements and
/// repositories as ``SQLiteStore``, without files, threads and waiting.
///
/// Each call runs to its end on the thread of its caller. A test sets a mark once, and rewinds to it instead of opening
/// another store.
package final class SQLiteMemoryStore: Store {
    private static let savepoint: SQLStatement = "SAVEPOINT change"
    private static let rollback: SQLStatement = "ROLLBACK TO change"
    private static let release: SQLStatement = "RELEASE change"
    private static let marking: SQLStatement = "SAVEPOINT mark"
    private static let rewinding: SQLStatement = "ROLLBACK TO mark"

    private let queue: DatabaseQueue
    private let observers = NIOLockedValueBox<[@Sendable ([StoreChange]) -> Void]>([])
    /// Used inside the queue only.
    nonisolated(unsafe) private var connection: SQLiteConnection?

    /// Creates an empty database.
    ///
    /// - Throws: `DatabaseError` when SQLite cannot make it.
    package init() throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        // The mark is a transaction that stays open.
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(configuration: configuration)
        try SQLiteMigrations().apply(to: queue)
    }

    // SQLite would roll the mark back while it closes the database, when GRDB's observers are gone.
    deinit {
        connection = nil
        try? queue.unsafeReentrantWrite { database in
            if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
        }
    }

    /// Marks the present state, once, as that to which ``rewind()`` returns.
    ///
    /// - Throws: `DatabaseError`.
    package func mark() throws { try onConnection { _ = try $0.change(Self.marking) } }

    /// Returns to the marked state, and forgets all observers.
    ///
    /// - Throws: `DatabaseError` when there is no mark.
    package func rewind() throws {
        observers.withLockedValue { $0 = [] }
        try onConnection { _ = try $0.change(Self.rewinding) }
    }

    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try onConnection { try body(SQLRepositories(reading: ReadOnlyConnection($0))) }
    }

    package func lookUp<Value>(_ body: (any Repositories) throws -> Value) throws -> Value? {
        try onConnection { try body(SQLRepositories(reading: ReadOnlyConnection($0))) }
    }

    package func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let (value, changes) = try onConnection { try Self.change(on: $0, body) }
        if !changes.isEmpty {
            for observer in observers.withLockedValue({ $0 }) { observer(changes) }
        }
        return value
    }

    package func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) {
        observers.withLockedValue { $0.append(observer) }
    }

    /// One process has it.
    package var isShared: Bool { false }

    /// Makes a change within a savepoint, which undoes one that throws.
    private static func change<Value>(
        on connection: SQLiteConnection, _ body: (any Repositories) throws -> Value
    ) throws -> (Value, [StoreChange]) {
        let batch = BatchCache()
        let collector = ChangeCollector(in: batch)
        try connection.change(savepoint)
        do {
            let value = try body(SQLRepositories(changing: connection, noting: collector))
            try connection.change(BatchRateCounters.writing, forEach: batch.counts.rows)
            try connection.change(release)
            return (value, collector.collected)
        } catch {
            try connection.change(rollback)
            try connection.change(release)
            throw error
        }
    }

    private func onConnection<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        try queue.unsafeReentrantWrite { database in
            let connection = self.connection ?? SQLiteConnection(database)
            self.connection = connection
            return try body(connection)
        }
    }
}

/// A connection that refuses to change anything: `PRAGMA query_only` would make SQLite compile all statements anew.
private final class ReadOnlyConnection: SQLConnection {
    private let base: SQLiteConnection

    init(_ base: SQLiteConnection) { self.base = base }

    func change(_ statement: SQLStatement, _ values: [SQLValue?]) throws -> Int { throw Self.refusal }

    func change(_ statement: SQLStatement, forEach rows: [[SQLValue?]]) throws { throw Self.refusal }

    func query(_ statement: SQLStatement, _ values: [SQLValue?], limit: Int, _ body: (SQLRow) throws -> Void) throws {
        try base.query(statement, values, limit: limit, body)
    }

    private static var refusal: DatabaseError {
        DatabaseError(resultCode: .SQLITE_READONLY, message: "a read changes nothing")
    }
}
