internal import Countersign
internal import CountersignSQL
internal import CountersignServer
internal import Foundation
internal import GRDB
internal import NIOConcurrencyHelpers

/// Collects the changes that arrive while a commit runs, and commits them together.
///
/// A commit waits for the disk once, however many changes it holds. So throughput grows with load, and a caller waits
/// only for the current commit and its own. Changes run in order of arrival, and one that throws is rolled back alone.
/// All changes of a batch are answered after its commit, those that threw too, because they may have seen the work of
/// others in the batch.
final class GroupCommit: Sendable {
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

    private struct State {
        var queue = ChangeQueue<PendingChange>(longestWait: longestWait)
        /// Refuses changes that wait for too long; `nil` while there is none.
        var timer: Task<Void, Never>?
        var isRunning = false
        var isClosed = false
        var whenIdle: [CheckedContinuation<Void, Never>] = []
    }

    private let pool: DatabasePool
    private let clock: TimeSource
    private let observers: ChangeObservers
    private let checkpoints: Checkpoints
    private let state = NIOLockedValueBox(State())
    private let pacing = NIOLockedValueBox(WriterPacing())
    /// The number of batches that are still to be committed with savepoints.
    private let caution = NIOLockedValueBox(0)
    private let metrics: StoreMetrics

    init(
        pool: DatabasePool,
        notifying observers: ChangeObservers,
        copyingLogBy checkpoints: Checkpoints,
        clock: TimeSource,
        metrics: StoreMetrics = .none
    ) {
        self.pool = pool
        self.observers = observers
        self.checkpoints = checkpoints
        self.metrics = metrics
        self.clock = clock
    }

    /// Checks whether another process has changed the database, if the writer sleeps.
    func pollForChangesOfOthers() {
        let isAsleep = state.withLockedValue { !$0.isRunning && !$0.isClosed }
        if isAsleep { pool.asyncWriteWithoutTransaction { self.observers.notifyOfOthers(on: SQLiteConnection($0)) } }
    }

    /// Puts a change in the queue, and wakes the writer if it sleeps.
    func add(_ change: PendingChange) {
        enum Next {
            case wakeTheWriter, wait
            case refuse(any Error)
        }
        let next: Next = state.withLockedValue { state in
            guard !state.isClosed else { return .refuse(StoreClosed()) }
            guard state.queue.append(change) else { return .refuse(StoreQueue.full) }
            if state.timer == nil {
                state.timer = OverdueTimer.run(by: clock) { [weak self] in self?.refuseOverdue() }
            }
            guard !state.isRunning else { return .wait }
            state.isRunning = true
            return .wakeTheWriter
        }
        switch next {
        case .wait: break
        case .refuse(let refusal): change.refuse(refusal)
        case .wakeTheWriter: pool.asyncWriteWithoutTransaction { self.commitWhatWaits(in: $0) }
        }
    }

    /// The time since the oldest uncommitted change was asked for.
    var oldestAge: Duration {
        let now = clock.instant()
        return state.withLockedValue { $0.queue.age(at: now) }
    }

    /// Accepts no more changes, and returns when those in the queue are done.
    func close() async {
        await withCheckedContinuation { caller in
            let isIdle = state.withLockedValue { state in
                state.isClosed = true
                if state.isRunning { state.whenIdle.append(caller) }
                return !state.isRunning
            }
            if isIdle { caller.resume() }
        }
        state.withLockedValue { $0.timer?.cancel() }
        await checkpoints.close()
    }

    /// Refuses changes that have waited for too long; returns when to check again, `nil` when there is no change.
    private func refuseOverdue() -> ContinuousClock.Instant? {
        let now = clock.instant()
        typealias Found = (overdue: OverdueChanges<PendingChange>, next: ContinuousClock.Instant?)
        let found: Found = state.withLockedValue { state in
            let overdue = state.queue.takeOverdue(at: now)
            let next = state.queue.nextCheck(after: now)
            if next == nil { state.timer = nil }
            return (overdue, next)
        }
        found.overdue.answer()
        return found.next
    }

    private func commitWhatWaits(in database: Database) {
        let connection = SQLiteConnection(database)
        while let batch = nextBatch() {
            if pacing.withLockedValue({ $0.mustRest(at: clock.instant()) }) {
                Thread.sleep(forTimeInterval: WriterPacing.rest / .seconds(1))
            }
            observers.notifyOfOthers(on: connection)
            let began = clock.instant()
            if commit(batch, on: connection) { metrics.committed(batch.count, in: began.duration(to: clock.instant())) }
            pacing.withLockedValue { $0.committed(at: clock.instant()) }
            checkpoints.committed(on: database)
        }
    }

    /// The changes that wait, oldest first; `nil` when there are none, and then the writer sleeps.
    private func nextBatch() -> [PendingChange]? {
        var released: [CheckedContinuation<Void, Never>] = []
        let batch: [PendingChange]? = state.withLockedValue { state in
            let batch = state.queue.takeBatch(of: Self.largestBatch, at: clock.instant())
            guard batch.isEmpty else { return batch }
            state.isRunning = false
            swap(&released, &state.whenIdle)
            return nil
        }
        for caller in released { caller.resume() }
        return batch
    }

    /// Commits a batch, and answers all its callers; returns whether it is durable.
    ///
    /// A savepoint around each change makes SQLite copy every page that the change touches, a fifth of the whole cost,
    /// and changes rarely fail. So a batch runs without savepoints. When one of its changes fails after it wrote
    /// something, the whole batch is rolled back and runs again with savepoints, and so do the next batches for a
    /// while.
    private func commit(_ batch: [PendingChange], on connection: SQLiteConnection) -> Bool {
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

    private func commit(_ batch: [PendingChange], on connection: SQLiteConnection, carefully: Bool) -> Outcome {
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

/// A change that waits for its turn, with its caller.
struct PendingChange: QueuedChange {
    let asked: ContinuousClock.Instant
    /// Runs the change inside a transaction that it shares with others.
    let attempt: @Sendable (SQLiteConnection, BatchCache) -> AttemptedChange
    /// Tells the caller that the change did not run.
    let refuse: @Sendable (any Error) -> Void
}

extension PendingChange {
    init<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value,
        for caller: CheckedContinuation<Value, any Error>,
        asked: ContinuousClock.Instant
    ) {
        self.asked = asked
        attempt = { connection, batch in
            let collector = ChangeCollector(in: batch)
            let outcome = Result { try body(SQLRepositories(changing: connection, noting: collector)) }
            var failure: (any Error)?
            if case .failure(let error) = outcome { failure = error }
            return AttemptedChange(
                failure: failure,
                changes: failure == nil ? collector.collected : [],
                committed: { caller.resume(with: outcome) },
                lost: { caller.resume(throwing: $0) }
            )
        }
        refuse = { caller.resume(throwing: $0) }
    }
}

/// A change that ran, but whose caller is not answered yet.
struct AttemptedChange: Sendable {
    /// The error that the change threw; its work has to be rolled back.
    let failure: (any Error)?
    /// The changes of the store, for the observers once they are durable.
    let changes: [StoreChange]
    /// Gives the caller the result, once everything that the change saw is durable.
    let committed: @Sendable () -> Void
    /// Tells the caller that the transaction failed as a whole.
    let lost: @Sendable (any Error) -> Void
}
