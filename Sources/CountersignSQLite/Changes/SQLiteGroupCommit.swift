internal import Countersign
internal import CountersignSQL
internal import CountersignStorage
internal import Foundation
internal import GRDB
internal import NIOConcurrencyHelpers

/// Collects the changes that arrive while a commit runs, and commits them together.
///
/// A commit waits for the disk once, however many changes it holds. So throughput grows with load, and a caller waits
/// only for the current commit and its own. Changes run in order of arrival, and one that throws is rolled back alone.
/// All changes of a batch, failed ones too, are answered after its commit, because they may have seen the work of
/// others in the batch.
final class SQLiteGroupCommit: Sendable {
    typealias Change = PendingChange<SQLiteConnection>

    /// The most changes in one transaction.
    static let largestBatch = 512
    /// The longest time that a change waits for its batch to begin. Longer than a slow disk keeps a crowd waiting:
    /// nothing but a disk that does not answer at all takes so long.
    static let longestWait: Duration = .seconds(30)
    /// The number of batches that use savepoints after one that failed without them.
    static let carefulBatches = 64

    private static let savepoint: SQLStatement = "SAVEPOINT change"
    private static let rollback: SQLStatement = "ROLLBACK TO change"
    private static let release: SQLStatement = "RELEASE change"

    private let queue: CommitQueue<SQLiteConnection>
    private let pool: DatabasePool
    private let clock: TimeSource
    private let observers: SQLiteChangeObservers
    private let checkpoints: Checkpoints
    private let pacing = NIOLockedValueBox(WriterPacing())
    /// The number of batches that are still to be committed with savepoints.
    private let caution = NIOLockedValueBox(0)
    private let metrics: StoreMetrics

    init(
        pool: DatabasePool,
        notifying observers: SQLiteChangeObservers,
        copyingLogBy checkpoints: Checkpoints,
        clock: TimeSource,
        metrics: StoreMetrics = .none
    ) {
        self.pool = pool
        self.observers = observers
        self.checkpoints = checkpoints
        self.metrics = metrics
        self.clock = clock
        queue = CommitQueue(longestWait: Self.longestWait, clock: clock)
    }

    /// Checks whether another process has changed the database, if the writer sleeps.
    func pollForChangesOfOthers() {
        guard queue.isAsleep else { return }
        pool.asyncWriteWithoutTransaction { self.observers.notifyOfOthers(on: SQLiteConnection($0)) }
    }

    /// Puts a change in the queue, and wakes the writer if it sleeps.
    func add(_ change: Change) {
        if queue.add(change) { wakeTheWriter() }
    }

    /// The time since the oldest uncommitted change was asked for.
    var oldestAge: Duration { queue.oldestAge }

    /// Accepts no more changes, and returns when those in the queue are done.
    func close() async {
        await queue.close(wakeTheWriter)
        await checkpoints.close()
    }

    private func wakeTheWriter() {
        pool.asyncWriteWithoutTransaction { self.commitWhatWaits(in: $0) }
    }

    private func commitWhatWaits(in database: Database) {
        let connection = SQLiteConnection(database)
        while true {
            switch queue.next(atMost: Self.largestBatch) {
            case .commit(let batch): commitInTurn(batch, on: connection)
            case .sleep: return
            case .end: return queue.end()
            }
        }
    }

    /// Commits a batch, after a rest of the writer if another process is to have a turn.
    private func commitInTurn(_ batch: [Change], on connection: SQLiteConnection) {
        if pacing.withLockedValue({ $0.mustRest(at: clock.instant()) }) {
            Thread.sleep(forTimeInterval: WriterPacing.rest / .seconds(1))
        }
        observers.notifyOfOthers(on: connection)
        let began = clock.instant()
        if commit(batch, on: connection) { metrics.committed(batch.count, in: began.duration(to: clock.instant())) }
        pacing.withLockedValue { $0.committed(at: clock.instant()) }
        checkpoints.committed(on: connection.database)
    }

    /// Commits a batch, and answers all its callers; returns whether it is durable.
    ///
    /// A savepoint around each change makes SQLite copy every page that the change touches, a fifth of the whole cost,
    /// and changes rarely fail. So a batch runs without savepoints. When one of its changes fails after it wrote
    /// something, the whole batch is rolled back and runs again with savepoints, and so do the next batches for a
    /// while.
    private func commit(_ batch: [Change], on connection: SQLiteConnection) -> Bool {
        let isCareful = caution.withLockedValue { caution in
            caution = max(0, caution - 1)
            return caution > 0
        }
        if !isCareful {
            switch commit(batch, on: connection, carefully: false) {
            case .durable: return true
            case .refused: return false
            case .nothingHappened: caution.withLockedValue { $0 = Self.carefulBatches }
            }
        }
        return commit(batch, on: connection, carefully: true) == .durable
    }

    private enum Outcome {
        case durable
        case refused
        /// A change failed after it wrote: no caller was answered, and the batch can run again.
        case nothingHappened
    }

    private func commit(_ batch: [Change], on connection: SQLiteConnection, carefully: Bool) -> Outcome {
        let database = connection.database
        var attempted: [AttemptedChange] = []
        attempted.reserveCapacity(batch.count)
        let shared = BatchCache()
        do {
            try database.beginTransaction(.immediate)
            for change in batch {
                let written = database.totalChangesCount
                if carefully { try connection.change(Self.savepoint) }
                shared.beginChange()
                let attempt = change.attempt(connection, shared)
                if let failure = attempt.failure {
                    shared.undoChange()
                    // Some errors, a full disk among them, make SQLite roll back the whole transaction.
                    guard database.isInsideTransaction else {
                        attempted.append(attempt)
                        throw failure
                    }
                    if carefully {
                        try connection.change(Self.rollback)
                    } else if database.totalChangesCount != written {
                        try database.rollback()
                        return .nothingHappened
                    }
                }
                attempted.append(attempt)
                if carefully { try connection.change(Self.release) }
            }
            try connection.change(BatchRateCounters.writing, forEach: shared.counts.rows)
            try database.commit()
        } catch {
            if database.isInsideTransaction { try? database.rollback() }
            for attempt in attempted { attempt.lost(error) }
            for change in batch.dropFirst(attempted.count) { change.refuse(error) }
            return .refused
        }
        observers.notify(attempted.flatMap(\.changes))
        for attempt in attempted { attempt.committed() }
        return .durable
    }
}
