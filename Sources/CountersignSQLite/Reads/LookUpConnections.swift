internal import GRDB
internal import NIOConcurrencyHelpers

/// Read-only connections for look-ups at once, which keep their prepared statements at hand.
///
/// Before each use of a connection of the pool GRDB asks the database for the version of its schema, which takes as
/// long as a look-up. The tables of a store never change while it is open.
final class LookUpConnections: Sendable {
    private struct State {
        var free: [LookUpConnection] = []
        var made = 0
        var isClosed = false
        /// Who waits until no connection is in use.
        var closing: CheckedContinuation<Void, Never>?
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
        // With ten million access tokens the interior B-tree pages take 8 MB and stay cached.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -24000") }
        self.configuration = configuration
        self.most = most
    }

    /// Runs `body` on a connection, on the thread of the caller; returns `nil` at once when all are in use.
    func read<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value? {
        guard let connection = take() else { return nil }
        defer { giveBack(connection) }
        return try connection.read(body)
    }

    /// Closes the connections as soon as none is in use. It is called once.
    func close() async {
        await withCheckedContinuation { caller in
            let isIdle = state.withLockedValue { state in
                state.isClosed = true
                if state.free.count < state.made { state.closing = caller }
                return state.closing == nil
            }
            if isIdle { caller.resume() }
        }
        let free = state.withLockedValue { state in
            defer { state.free = [] }
            return state.free
        }
        for connection in free { connection.close() }
    }

    /// A free connection, or a new one; `nil` when all are in use, or a new one cannot be opened.
    private func take() -> LookUpConnection? {
        let (free, mayMake) = state.withLockedValue { state -> (LookUpConnection?, Bool) in
            guard !state.isClosed else { return (nil, false) }
            if let free = state.free.popLast() { return (free, false) }
            guard state.made < most else { return (nil, false) }
            state.made += 1
            return (nil, true)
        }
        guard mayMake else { return free }
        guard let new = try? LookUpConnection(path: path, configuration: configuration) else {
            end { $0.made -= 1 }
            return nil
        }
        return new
    }

    private func giveBack(_ connection: LookUpConnection) {
        end { $0.free.append(connection) }
    }

    /// Ends a use of a connection, which may be the last one that ``close()`` waits for.
    private func end(_ use: (inout State) -> Void) {
        let closing = state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
            use(&state)
            guard state.free.count == state.made else { return nil }
            defer { state.closing = nil }
            return state.closing
        }
        closing?.resume()
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

    func close() {
        // Its statements have to be gone before.
        queue.unsafeRead { _ in connection = nil }
        // It only reads, so nothing is lost if SQLite keeps it open.
        try? queue.close()
    }
}
