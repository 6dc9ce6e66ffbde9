internal import GRDB
internal import NIOConcurrencyHelpers

/// Read-only connections for look-ups at once, which keep their prepared statements at hand.
///
/// Before each use of a connection of the pool GRDB asks the database for the version of its schema, which takes as long
/// as a look-up. The tables of a store never change while it is open.
final class LookUpConnections: Sendable {
    private struct State {
        var free: [LookUpConnection] = []
        var made = 0
        var isClosed = false
    }

    private let path: String
    private let configuration: Configuration
    private let most: Int
    private let state = NIOLockedValueBox(State())

    /// - Parameters:
    ///   - pool: The pool of the same database.
    ///   - most: How many connections are made, each when it is first needed.
    init(beside pool: DatabasePool, most: Int) {
        path = pool.path
        var configuration = pool.configuration
        configuration.readonly = true
        self.configuration = configuration
        self.most = most
    }

    /// Runs `body` on a connection, on the thread of the caller; returns `nil` at once when all are in use.
    func read<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value? {
        guard let connection = try take() else { return nil }
        defer { giveBack(connection) }
        return try connection.read(body)
    }

    /// Closes the connections, those in use as soon as they are free.
    func close() throws {
        let free = state.withLockedValue { state in
            state.isClosed = true
            defer { state.free = [] }
            return state.free
        }
        for connection in free { try connection.close() }
    }

    private func take() throws -> LookUpConnection? {
        let (free, mayMake) = state.withLockedValue { state -> (LookUpConnection?, Bool) in
            guard !state.isClosed else { return (nil, false) }
            if let free = state.free.popLast() { return (free, false) }
            guard state.made < most else { return (nil, false) }
            state.made += 1
            return (nil, true)
        }
        guard mayMake else { return free }
        do {
            return try LookUpConnection(path: path, configuration: configuration)
        } catch {
            state.withLockedValue { $0.made -= 1 }
            throw error
        }
    }

    private func giveBack(_ connection: LookUpConnection) {
        let isClosed = state.withLockedValue { state in
            if !state.isClosed { state.free.append(connection) }
            return state.isClosed
        }
        if isClosed { try? connection.close() }
    }
}

/// One of these connections.
private final class LookUpConnection: Sendable {
    private let queue: DatabaseQueue
    /// Used inside the queue only.
    nonisolated(unsafe) private var connection: SQLiteConnection?

    init(path: String, configuration: Configuration) throws {
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    func read<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        try queue.unsafeRead { database in
            let known = connection ?? SQLiteConnection(database)
            connection = known
            return try body(known)
        }
    }

    func close() throws {
        // Its statements have to be gone before.
        queue.unsafeRead { _ in connection = nil }
        try queue.close()
    }
}
