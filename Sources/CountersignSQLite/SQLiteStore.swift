public import CountersignServer
package import GRDB
internal import NIOConcurrencyHelpers

/// Everything the server keeps, in one SQLite database on this machine.
///
///     let store = try SQLiteStore.open(in: URL(fileURLWithPath: "/var/lib/countersign"))
///     let client = try await store.read { try $0.clients.find(ClientID("tv")) }
///     try await store.close()
///
/// Changes that arrive while others are being committed share the next commit, and each caller is answered when its
/// own is on disk. Look-ups share snapshots and never wait for a change. No row is kept in memory, so what another
/// process changed is seen by the next look-up; observers are notified within a fifth of a second.
///
/// A task that is cancelled before it asks does nothing. Once asked, a read or change runs to its end and its
/// caller learns what came of it.
public final class SQLiteStore: Store {
    package let pool: DatabasePool
    private let changes: GroupCommit
    private let reads: GatheredReads
    private let observers = ChangeObservers()
    private let poller: DataVersionPoller
    private let metrics: StoreMetrics
    private let file: DatabaseFileIdentity
    private let isClosed = NIOLockedValueBox(false)

    init(pool: DatabasePool, instant: @escaping @Sendable () -> ContinuousClock.Instant, metrics: StoreMetrics) {
        self.pool = pool
        file = DatabaseFileIdentity(pool.path)
        self.metrics = metrics
        let changes = GroupCommit(pool: pool, notifying: observers, instant: instant, metrics: metrics)
        self.changes = changes
        reads = GatheredReads(pool: pool, metrics: metrics)
        poller = DataVersionPoller { changes.pollForChangesOfOthers() }
    }

    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        try file.check()
        do {
            return try await withCheckedThrowingContinuation { caller in
                reads.add(PendingRead(body, for: caller))
            }
        } catch let error as DatabaseError {
            metrics.readFailed()
            throw StoreUnavailable(error) ?? error
        } catch let error as StoreUnavailable {
            metrics.readFailed()
            throw error
        }
    }

    public func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        try file.check()
        do {
            return try await withCheckedThrowingContinuation { caller in
                changes.add(PendingChange(body, for: caller))
            }
        } catch let error as DatabaseError {
            metrics.changeFailed()
            throw StoreUnavailable(error) ?? error
        } catch let error as StoreUnavailable {
            metrics.changeFailed()
            throw error
        }
    }

    public func observe(_ observer: @escaping @Sendable ([StoreChange]) -> Void) {
        observers.add(observer)
        poller.begin()
    }

    /// Finishes what was asked so far, and closes the database; whoever asks later gets ``StoreClosed``.
    ///
    /// If nobody else has it open, all of it is in its one file then.
    ///
    /// - Throws: what the database reports when it cannot be closed.
    public func close() async throws {
        poller.end()
        await changes.close()
        await reads.close()
        let wasClosed = isClosed.withLockedValue { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        // Whoever else has it open may be in the way, and closes it later.
        try? await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try pool.close()
    }
}

/// The store was closed before it was asked.
public struct StoreClosed: ClosedStore, Sendable, Equatable, CustomStringConvertible {
    public init() {}

    public var description: String { "The database has been closed." }
}
