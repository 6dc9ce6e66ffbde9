internal import CountersignServer
internal import Foundation
internal import GRDB
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Gathers the changes that arrive while a commit runs, and commits them together.
///
/// A commit costs one wait for the disk, whatever it holds. So throughput grows with load, and nobody waits for more
/// than the commit that runs and their own. Changes run in the order in which they came, and one that throws is rolled
/// back alone. All of a batch are answered after its commit, those that threw too, because what they saw may have been
/// the work of their neighbours.
final class GroupCommit: Sendable {
    /// The most changes in one transaction.
    static let largestBatch = 512
    /// How many batches have savepoints after one that failed without.
    static let carefulBatches = 64

    private struct State {
        var waiting = CircularBuffer<PendingChange>()
        var isRunning = false
        var isClosed = false
        var whenIdle: [CheckedContinuation<Void, Never>] = []
    }

    private let pool: DatabasePool
    private let instant: @Sendable () -> ContinuousClock.Instant
    private let followers: Followers
    private let state = NIOLockedValueBox(State())
    private let pacing = NIOLockedValueBox(Pacing())
    /// How many batches are still to be committed with savepoints.
    private let caution = NIOLockedValueBox(0)
    private let metrics: StoreMetrics

    init(
        pool: DatabasePool,
        telling followers: Followers,
        instant: @escaping @Sendable () -> ContinuousClock.Instant,
        metrics: StoreMetrics = .none
    ) {
        self.pool = pool
        self.followers = followers
        self.metrics = metrics
        self.instant = instant
    }

    /// Looks, when the writer sleeps, whether another process has changed the database.
    func lookAround() {
        let isAsleep = state.withLockedValue { !$0.isRunning && !$0.isClosed }
        if isAsleep { pool.asyncWriteWithoutTransaction { self.followers.noticeOthers(in: $0) } }
    }

    /// Puts a change in the line, and wakes the writer if it sleeps.
    func add(_ change: PendingChange) {
        enum Next {
            case wakeTheWriter, wait
            case refuse(any Error)
        }
        let next: Next = state.withLockedValue { state in
            guard !state.isClosed else { return .refuse(StoreClosed()) }
            guard state.waiting.count < StoreLine.longest else { return .refuse(StoreLine.full) }
            state.waiting.append(change)
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

    /// Takes no more changes, and returns when those in the line are done.
    func close() async {
        await withCheckedContinuation { caller in
            let isIdle = state.withLockedValue { state in
                state.isClosed = true
                if state.isRunning { state.whenIdle.append(caller) }
                return !state.isRunning
            }
            if isIdle { caller.resume() }
        }
    }

    private func commitWhatWaits(in database: Database) {
        while let batch = nextBatch() {
            if pacing.withLockedValue({ $0.mustRest(at: instant()) }) {
                Thread.sleep(forTimeInterval: Pacing.rest / .seconds(1))
            }
            followers.noticeOthers(in: database)
            let began = instant()
            if commit(batch, in: database) { metrics.committed(batch.count, in: began.duration(to: instant())) }
            pacing.withLockedValue { $0.committed(at: instant()) }
        }
    }

    /// The changes that wait, oldest first; `nil` when there are none, and then the writer sleeps.
    private func nextBatch() -> [PendingChange]? {
        var released: [CheckedContinuation<Void, Never>] = []
        let batch: [PendingChange]? = state.withLockedValue { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                swap(&released, &state.whenIdle)
                return nil
            }
            let batch = Array(state.waiting.prefix(Self.largestBatch))
            state.waiting.removeFirst(batch.count)
            return batch
        }
        for caller in released { caller.resume() }
        return batch
    }

    /// Commits a batch, and answers all of it; whether it is durable.
    ///
    /// A savepoint around each change makes SQLite copy every page that the change touches, a fifth of the whole cost;
    /// and hardly any change fails. So a batch goes without. When one of its changes fails after it wrote something, all
    /// is rolled back and runs again with savepoints, and so do the batches that follow for a while.
    private func commit(_ batch: [PendingChange], in database: Database) -> Bool {
        let isCareful = caution.withLockedValue { caution in
            caution = max(0, caution - 1)
            return caution > 0
        }
        if !isCareful {
            switch commit(batch, in: database, carefully: false) {
            case .durable: return true
            case .refused: return false
            case .nothingHappened: caution.withLockedValue { $0 = Self.carefulBatches }
            }
        }
        return commit(batch, in: database, carefully: true) == .durable
    }

    private enum Outcome {
        case durable
        case refused
        /// A change failed halfway: no caller was answered, and the batch can run again.
        case nothingHappened
    }

    private func commit(_ batch: [PendingChange], in database: Database, carefully: Bool) -> Outcome {
        var attempted: [AttemptedChange] = []
        attempted.reserveCapacity(batch.count)
        let counts = BatchCounts()
        do {
            try database.beginTransaction(.immediate)
            for change in batch {
                let written = database.totalChangesCount
                if carefully { try database.run("SAVEPOINT change") }
                counts.beginChange()
                let attempt = change.attempt(database, counts)
                if let failure = attempt.failure {
                    counts.undoChange()
                    // Some errors, a full disk among them, make SQLite roll back the whole transaction.
                    guard database.isInsideTransaction else {
                        attempted.append(attempt)
                        throw failure
                    }
                    if carefully {
                        try database.run("ROLLBACK TO change")
                    } else if database.totalChangesCount != written {
                        try database.rollback()
                        return .nothingHappened
                    }
                }
                attempted.append(attempt)
                if carefully { try database.run("RELEASE change") }
            }
            try SQLiteCountRepository.write(counts, into: database)
            try database.commit()
        } catch {
            if database.isInsideTransaction { try? database.rollback() }
            for attempt in attempted { attempt.lost(error) }
            for change in batch.dropFirst(attempted.count) { change.refuse(error) }
            return .refused
        }
        followers.tell(attempted.flatMap(\.news))
        for attempt in attempted { attempt.committed() }
        return .durable
    }
}
