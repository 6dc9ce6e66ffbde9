internal import GRDB
internal import GRDBSQLite
internal import NIOConcurrencyHelpers

/// Copies SQLite's log into the database file when it has become long, concurrently with the writer.
///
/// SQLite itself copies it inside a commit, which then takes many times as long as others. Another connection copies it
/// while the writer continues, and the writer itself copies later commits, once they are few. The log begins again with
/// a commit that finds all of it copied: without the writer's part a busy writer would hardly ever find it so.
final class Checkpoints: Sendable {
    /// The number of pages of 4 KB that are written before the log is copied.
    static let longestLog = 16_000
    /// The writer itself copies at most ``longestLog`` divided by this: all changes wait for that commit.
    static let writersPart = 8
    /// The number of further pages that are written before the next attempt, when a reader still needed a part of it.
    static let retryAfter = 1_000
    /// The length, in pages, that makes SQLite copy the log inside a commit anyway, should it be impossible otherwise.
    static let lastResort = 64_000

    private enum Phase {
        case idle, copying
        /// The commits during a copy have to be copied too.
        case rest
    }

    private enum Step {
        case none, copyRest
        /// All the pages that the writer has written by now are to be copied.
        case copyBesideWriter(pages: Int)
    }

    private struct State {
        var phase = Phase.idle
        /// The number of pages that the writer has written and that may not be copied.
        var pages = 0
        var connection: DatabaseQueue?
        var isClosed = false
    }

    private let path: String
    private let configuration: Configuration
    private let longestLog: Int
    private let retryAfter: Int
    private let endSnapshots: @Sendable () -> Void
    private let state = NIOLockedValueBox(State())

    /// - Parameters:
    ///   - pool: The pool of the same database.
    ///   - longestLog: The number of pages of 4 KB that are written before the log is copied.
    ///   - retryAfter: The number of further pages before the next attempt.
    ///   - endSnapshots: Ends the snapshots that are not being read; called before each copy, and after the last part.
    init(
        beside pool: DatabasePool,
        longestLog: Int = Checkpoints.longestLog,
        retryAfter: Int = Checkpoints.retryAfter,
        endingSnapshotsBy endSnapshots: @escaping @Sendable () -> Void = {}
    ) {
        self.endSnapshots = endSnapshots
        self.longestLog = longestLog
        self.retryAfter = retryAfter
        path = pool.path
        configuration = pool.configuration
    }

    /// Called by the writer after each commit.
    func committed(on writer: Database) {
        switch nextStep(after: writer.takePagesWritten()) {
        case .none: break
        case .copyBesideWriter(let pages): copyBesideWriter(pages)
        case .copyRest:
            endSnapshots()
            let isComplete = writer.copyLog()
            // The next commit begins the log again if all snapshots are of the database file by then.
            if isComplete { endSnapshots() }
            state.withLockedValue { $0.pages = isComplete ? 0 : longestLog - retryAfter }
        }
    }

    /// Returns when no concurrent copy is running.
    func finishCopying() async {
        try? await state.withLockedValue(\.connection)?.writeWithoutTransaction { _ in }
    }

    /// Returns when no copy is being made, and makes none any more.
    func close() async {
        state.withLockedValue { $0.isClosed = true }
        await finishCopying()
        let connection = state.withLockedValue { state in
            defer { state.connection = nil }
            return state.connection
        }
        try? connection?.close()
    }

    private func nextStep(after written: Int) -> Step {
        state.withLockedValue { state in
            state.pages += written
            switch state.phase {
            case .copying: return .none
            case .rest where state.pages <= longestLog / Self.writersPart:
                state.phase = .idle
                return .copyRest
            case .idle where state.pages < longestLog: return .none
            case .idle, .rest:
                guard !state.isClosed else { return .none }
                state.phase = .copying
                return .copyBesideWriter(pages: state.pages)
            }
        }
    }

    private func copyBesideWriter(_ pages: Int) {
        guard let connection = opened() else { return copied(nil) }
        connection.asyncWriteWithoutTransaction { database in
            self.endSnapshots()
            self.copied(database.copyLog() ? pages : nil)
        }
    }

    /// Records the end of a concurrent copy: the number of pages, or that not all could be copied.
    private func copied(_ pages: Int?) {
        state.withLockedValue { state in
            state.phase = pages == nil ? .idle : .rest
            state.pages = pages.map { state.pages - $0 } ?? longestLog - retryAfter
        }
    }

    private func opened() -> DatabaseQueue? {
        if let connection = state.withLockedValue(\.connection) { return connection }
        let new = try? DatabaseQueue(path: path, configuration: configuration)
        state.withLockedValue { $0.connection = new }
        return new
    }
}

extension Database {
    /// The number of pages that this connection has written since the last call.
    fileprivate func takePagesWritten() -> Int {
        var (written, unused): (CInt, CInt) = (0, 0)
        sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &written, &unused, 1)
        return Int(written)
    }

    /// Copies as much of the log as readers allow, without waiting for them; returns whether that was the whole log.
    fileprivate func copyLog() -> Bool {
        guard let (pages, copied) = try? checkpoint(.passive) else { return false }
        return pages == copied
    }
}
