internal import GRDB
internal import NIOConcurrencyHelpers

/// Read-only connections for lookups at once, which keep their prepared statements, and their snapshot of the database
/// until the next commit.
///
/// Before each use of a connection of the pool GRDB asks the database for the version of its schema, which takes as
/// long as a lookup; so does beginning and ending a snapshot. The tables of a store never change while it is open.
final class LookUpConnections: Sendable {
    /// A connection, and how often snapshots had been ended when its own may have been begun.
    private struct Lease {
        let connection: LookUpConnection
        var endings: Int
    }

    private struct State {
        var free: [Lease] = []
        var made = 0
        var keepsSnapshots = false
        /// The number of times that snapshots were ended.
        var endings = 0
        var isClosed = false
        /// Resumed once no connection is in use.
        var closing: CheckedContinuation<Void, Never>?
    }

    private let path: String
    private let configuration: Configuration
    private let most: Int
    private let state = NIOLockedValueBox(State())

    /// - Parameters:
    ///   - pool: The pool of the same database.
    ///   - most: The maximum number of connections; each is opened on demand.
    init(beside pool: DatabasePool, most: Int) {
        path = pool.path
        var configuration = pool.configuration
        configuration.readonly = true
        // A snapshot is a transaction that is still open when a lookup ends.
        configuration.allowsUnsafeTransactions = true
        // With ten million access tokens the interior B-tree pages take 8 MB and stay cached.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -24000") }
        self.configuration = configuration
        self.most = most
    }

    /// Runs `body` on a connection, on the thread of the caller; returns `nil` at once when all are in use.
    ///
    /// - Parameters:
    ///   - check: Runs before a snapshot is begun; its errors are rethrown.
    ///   - body: The reads to make, from a snapshot of the database that is no older than this call.
    func read<Value>(checking check: () throws -> Void, _ body: (SQLiteConnection) throws -> Value) throws -> Value? {
        guard let (lease, keepsSnapshot) = take() else { return nil }
        defer { giveBack(lease) }
        return try lease.connection.read(keepingSnapshot: keepsSnapshot, checking: check, body)
    }

    /// Lets connections keep their snapshots from now on, if ``endSnapshots()`` is called repeatedly.
    func keepSnapshots() {
        state.withLockedValue { $0.keepsSnapshots = true }
    }

    /// Ends the snapshots that were begun before, since the log can be copied and begun again only as far as no
    /// snapshot needs it: at once those of idle connections, and the others when their lookup ends.
    func endSnapshots() {
        state.withLockedValue { $0.endings += 1 }
        while let lease = takeOutdated() { giveBack(lease) }
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
        for free in free { free.connection.close() }
    }

    /// A free connection, or a new one, and whether it keeps its snapshot; `nil` when all are in use, or a new one
    /// cannot be opened.
    private func take() -> (Lease, keepsSnapshot: Bool)? {
        let (free, endings, keepsSnapshot) = state.withLockedValue { state -> (Lease?, Int?, Bool) in
            guard !state.isClosed else { return (nil, nil, false) }
            if let free = state.free.popLast() { return (free, nil, state.keepsSnapshots) }
            guard state.made < most else { return (nil, nil, false) }
            state.made += 1
            return (nil, state.endings, state.keepsSnapshots)
        }
        if let free { return (free, keepsSnapshot) }
        // None is free, and one more may be made.
        guard let endings else { return nil }
        guard let new = try? LookUpConnection(path: path, configuration: configuration) else {
            end { $0.made -= 1 }
            return nil
        }
        return (Lease(connection: new, endings: endings), keepsSnapshot)
    }

    /// Takes an idle connection that may have a snapshot of before the last time when snapshots were ended.
    private func takeOutdated() -> Lease? {
        state.withLockedValue { state in
            guard !state.isClosed, let place = state.free.firstIndex(where: { $0.endings < state.endings }) else {
                return nil
            }
            return state.free.remove(at: place)
        }
    }

    /// Gives a connection back, without its snapshot if snapshots were ended since that may have been begun.
    private func giveBack(_ lease: Lease) {
        var lease = lease
        while let later = state.withLockedValue({ $0.endings == lease.endings ? nil : $0.endings }) {
            lease.connection.endSnapshot()
            lease.endings = later
        }
        // If snapshots are being ended, this one counts as outdated.
        end { $0.free.append(lease) }
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
    private struct State {
        var connection: SQLiteConnection?
        var header: LogIndexHeader?
        /// The header's contents before the kept snapshot was begun; `nil` when there is none.
        var kept: LogIndexHeader.Content?
    }

    private let queue: DatabaseQueue
    /// Used inside the queue only.
    nonisolated(unsafe) private var state = State()

    init(path: String, configuration: Configuration) throws {
        queue = try DatabaseQueue(path: path, configuration: configuration)
    }

    func read<Value>(
        keepingSnapshot keepsSnapshot: Bool,
        checking check: () throws -> Void,
        _ body: (SQLiteConnection) throws -> Value
    ) throws -> Value {
        try queue.unsafeRead { database in
            let connection = state.connection ?? SQLiteConnection(database)
            state.connection = connection
            // Read before a snapshot begins, so that commits meanwhile cause the next one, too.
            let content = state.header?.content
            if content == nil || content != state.kept {
                endSnapshot(on: connection)
                try check()
                try connection.beginSnapshot()
            }
            state.kept = nil
            defer {
                if keepsSnapshot, let content, database.isInsideTransaction {
                    state.kept = content
                } else {
                    endSnapshot(on: connection)
                    state.header = state.header ?? LogIndexHeader(of: database)
                }
            }
            return try body(connection)
        }
    }

    func endSnapshot() {
        queue.unsafeRead { _ in
            if let connection = state.connection { endSnapshot(on: connection) }
        }
    }

    private func endSnapshot(on connection: SQLiteConnection) {
        connection.endSnapshot()
        state.kept = nil
    }

    func close() {
        // Its statements have to be finalized before.
        queue.unsafeRead { _ in
            if let connection = state.connection { endSnapshot(on: connection) }
            state = State()
        }
        // It only reads, so nothing is lost if SQLite keeps it open.
        try? queue.close()
    }
}
