internal import Countersign
internal import CountersignSQL
public import CountersignStorage
package import GRDB
internal import NIOConcurrencyHelpers
internal import NIOCore

/// A store in one SQLite database on this machine.
///
/// ```swift
/// let store = try SQLiteStore.open(in: URL(fileURLWithPath: "/var/lib/countersign"))
/// let client = try await store.read { try $0.clients.find(ClientID("tv")) }
/// try await store.close()
/// ```
///
/// Changes that arrive while others are being committed share the next commit, and each caller is answered when its own
/// is on disk. Lookups share snapshots and never wait for a change. No row is cached here, so the next lookup sees what
/// another process changed; observers are notified within a fifth of a second.
///
/// A task that is cancelled before it asks does nothing. Once asked, a read or change runs to its end, and its caller
/// gets its result.
public final class SQLiteStore: Store {
    package let pool: DatabasePool
    private let changes: SQLiteGroupCommit
    private let reads: SQLiteGatheredReads
    private let lookUps: LookUpConnections
    private let observers = SQLiteChangeObservers()
    private let poller: DataVersionPoller
    private let clock: TimeSource
    private let metrics: StoreMetrics
    private let file: DatabaseFileIdentity
    private let isClosed = NIOLockedValueBox(false)

    init(pool: DatabasePool, clock: TimeSource, metrics: StoreMetrics) {
        self.pool = pool
        self.clock = clock
        file = DatabaseFileIdentity(pool.path)
        self.metrics = metrics
        let lookUps = LookUpConnections(beside: pool, most: System.coreCount)
        self.lookUps = lookUps
        let checkpoints = Checkpoints(beside: pool) { lookUps.endSnapshots() }
        let changes = SQLiteGroupCommit(
            pool: pool, notifying: observers, copyingLogBy: checkpoints, clock: clock, metrics: metrics)
        self.changes = changes
        reads = SQLiteGatheredReads(pool: pool, metrics: metrics)
        poller = DataVersionPoller {
            lookUps.endSnapshots()
            changes.pollForChangesOfOthers()
        }
    }

    /// Reads from one snapshot of the database.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: ``StoreUnavailableError`` when the database cannot be used, ``StoreClosedError`` after ``close()``,
    ///   `CancellationError` when the task is cancelled already, or what `body` throws.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        try file.check()
        return try await metrics.read { reads.add(PendingRead(body, for: $0, asked: clock.instant())) }
    }

    /// Looks up a few rows from one snapshot of the database, on the thread of the caller.
    ///
    /// Between two commits, the lookups of an observed store share snapshots; each snapshot ends after a fifth of a
    /// second. A removed file may therefore be noticed a fifth of a second late.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: ``StoreUnavailableError`` when the database cannot be used, ``StoreClosedError`` after ``close()``, or
    ///   what `body` throws.
    public func lookUp<Value>(_ body: (any Repositories) throws -> Value) throws -> Value? {
        guard !isClosed.withLockedValue({ $0 }) else { throw StoreClosedError() }
        do {
            let found = try lookUps.read(checking: file.check) { try body(SQLRepositories(reading: $0)) }
            if let found { return found }
            try file.check()
            return try pool.unsafeRead { try look(body, on: SQLiteConnection($0)) }
        } catch let error as DatabaseError {
            guard !isClosed.withLockedValue({ $0 }) else { throw StoreClosedError() }
            metrics.readFailed()
            throw error.forCallers
        }
    }

    private func look<Value>(
        _ body: (any Repositories) throws -> Value,
        on connection: SQLiteConnection
    ) throws -> Value {
        try connection.beginSnapshot()
        defer { connection.endSnapshot() }
        return try body(SQLRepositories(reading: connection))
    }

    /// Makes one change, and returns when it is on disk.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: ``StoreUnavailableError`` when the database cannot be used, ``StoreClosedError`` after ``close()``,
    ///   `CancellationError` when the task is cancelled already, or what `body` throws.
    public func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        try file.check()
        return try await metrics.change { changes.add(PendingChange(body, for: $0, asked: clock.instant())) }
    }

    /// Notifies an observer of changes from now on, those of other processes within a fifth of a second.
    public func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) {
        observers.add(observer)
        lookUps.keepSnapshots()
        poller.begin()
    }

    /// The time that the oldest uncommitted change has waited; zero when there is none.
    public var oldestChangeAge: Duration { changes.oldestAge }

    /// One server at a time has the database; the command that shares it verifies no proofs.
    public var isShared: Bool { false }

    /// Finishes pending work, and closes the database. Later reads and changes throw ``StoreClosedError``.
    ///
    /// If no other process has it open, all data is then in the one database file.
    ///
    /// - Throws: ``StoreUnavailableError`` when it cannot be closed.
    public func close() async throws {
        poller.end()
        await changes.close()
        await reads.close()
        let wasClosed = isClosed.withLockedValue { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        await lookUps.close()
        // Passive, since the writer of another process that has it open must not wait for this one.
        try? await pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
        do {
            try pool.close()
        } catch let error as DatabaseError {
            throw error.forCallers
        }
    }
}

/// Identifies the database file by more than its name.
///
/// A process that has the file open can still write to it after the file was removed or moved. Those writes would be
/// lost, and that would not be noticed before the next start.
struct DatabaseFileIdentity: Sendable {
    private let path: String
    private let identity: FileStatus.Identity?

    init(_ path: String) {
        self.path = path
        identity = FileStatus(following: path)?.identity
    }

    /// Makes sure that the file is still the one that was opened.
    ///
    /// - Throws: ``StoreUnavailableError``; nothing was done.
    func check() throws {
        guard FileStatus(following: path)?.identity != identity else { return }
        throw StoreUnavailableError(
            .notDone,
            reason: "the file \(path) was removed, or another one was put in its place. Put it back, or start again"
        )
    }
}

extension DatabaseError: EngineError {
    /// The reason behind the error, in a sentence for the log; `nil` when it is a programming error.
    var unavailable: StoreUnavailableError? {
        let said = words
        return switch resultCode {
        case .SQLITE_FULL:
            StoreUnavailableError(.notDone, reason: "\(said). Make room; the server goes on by itself")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            StoreUnavailableError(
                .notDone, reason: "it may not be written: \(said). Give this user the right to write it")
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            StoreUnavailableError(.notDone, reason: "\(said). End that process")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            StoreUnavailableError(.notDone, reason: "it is damaged: \(said). Restore it from a backup")
        case .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_NOLFS:
            StoreUnavailableError(
                .notDone, reason: "it cannot be reached: \(said). See that the disk is there and healthy")
        case .SQLITE_IOERR:
            StoreUnavailableError(.outcomeUnknown, reason: "the disk failed: \(said). See that it is there and healthy")
        default:
            nil
        }
    }
}
