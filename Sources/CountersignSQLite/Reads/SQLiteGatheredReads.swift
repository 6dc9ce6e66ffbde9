internal import CountersignSQL
internal import CountersignStorage
internal import GRDB
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Lets lookups that arrive together share one snapshot of the database.
///
/// Opening a snapshot costs more than most lookups. A few readers run in parallel and take lookups from one queue, one
/// at a time, so that a slow one delays only its own caller. A reader answers from its snapshot only lookups that were
/// asked before the snapshot was opened, so each sees every change that was committed before it was asked.
final class SQLiteGatheredReads: Sendable {
    typealias Read = PendingRead<SQLiteConnection>

    /// The number of readers that work at the same time.
    static let readers = 4

    private struct State {
        var waiting = CircularBuffer<Read>()
        /// The numbers of lookups that were ever asked, and that were taken from the queue.
        var asked = 0
        var taken = 0
        var running = 0
        var isClosed = false
        var whenIdle: [CheckedContinuation<Void, Never>] = []
    }

    private let pool: DatabasePool
    private let state = NIOLockedValueBox(State())
    private let metrics: StoreMetrics

    init(pool: DatabasePool, metrics: StoreMetrics = .none) {
        self.pool = pool
        self.metrics = metrics
    }

    /// Puts a lookup in the queue, and wakes a reader if one sleeps.
    func add(_ read: Read) {
        enum Next {
            case wakeAReader, wait
            case refuse(any Error)
        }
        let next: Next = state.withLockedValue { state in
            guard !state.isClosed else { return .refuse(StoreClosedError()) }
            guard state.waiting.count < StoreQueue.capacity else { return .refuse(StoreQueue.full) }
            state.waiting.append(read)
            state.asked += 1
            guard state.running < Self.readers else { return .wait }
            state.running += 1
            return .wakeAReader
        }
        switch next {
        case .wait: break
        case .refuse(let refusal): read.refuse(refusal)
        case .wakeAReader: pool.asyncUnsafeRead { self.answerWhatWaits(in: $0) }
        }
    }

    /// Accepts no more lookups, and returns when those in the queue are answered.
    func close() async {
        await withCheckedContinuation { caller in
            let isIdle = state.withLockedValue { state in
                state.isClosed = true
                if state.running > 0 { state.whenIdle.append(caller) }
                return state.running == 0
            }
            if isIdle { caller.resume() }
        }
    }

    private func answerWhatWaits(in reader: Result<Database, any Error>) {
        let connection = reader.map(SQLiteConnection.init)
        while let horizon = askedSoFar() {
            do {
                let connection = try connection.get()
                try connection.beginSnapshot()
                var answered = 0
                // A failed read may end the transaction; later reads then get a new one.
                while connection.database.isInsideTransaction, let read = next(before: horizon) {
                    read.attempt(connection, nil)()
                    answered += 1
                }
                if answered > 0 { metrics.answered(answered) }
                connection.endSnapshot()
            } catch {
                while let read = next(before: horizon) { read.refuse(error) }
            }
        }
    }

    /// The number of lookups asked by now; `nil` when none waits, and then the reader sleeps.
    private func askedSoFar() -> Int? {
        var released: [CheckedContinuation<Void, Never>] = []
        let horizon: Int? = state.withLockedValue { state in
            guard state.waiting.isEmpty else { return state.asked }
            state.running -= 1
            if state.running == 0 { swap(&released, &state.whenIdle) }
            return nil
        }
        for caller in released { caller.resume() }
        return horizon
    }

    /// The lookup at the head of the queue, unless it was asked after the first `horizon` ones.
    private func next(before horizon: Int) -> Read? {
        state.withLockedValue { state in
            guard state.taken < horizon, let read = state.waiting.popFirst() else { return nil }
            state.taken += 1
            return read
        }
    }
}

extension SQLiteConnection {
    private static let begin: SQLStatement = "BEGIN DEFERRED"
    private static let commit: SQLStatement = "COMMIT"

    /// Begins a transaction that only reads. Its first read takes the snapshot.
    func beginSnapshot() throws {
        try change(Self.begin)
    }

    /// Ends the transaction, unless a failed read has ended it.
    func endSnapshot() {
        if database.isInsideTransaction { _ = try? change(Self.commit) }
    }
}
