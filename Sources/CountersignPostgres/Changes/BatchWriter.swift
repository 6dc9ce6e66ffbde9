#if PostgreSQL
internal import Countersign
internal import CountersignSQL
internal import CountersignStorage

/// Commits batches of changes, each in one transaction, and answers their callers. Used by one thread only.
///
/// Every transaction begins by taking one lock, so that there is one writer at a time among all nodes: what a change
/// reads is still valid when it writes, and no two transactions conflict.
///
/// A batch first runs without savepoints, which cost the server work, and sends what its changes write with the next
/// lookup or at its end. When a change throws after it wrote, or something that it wrote was refused, the batch runs
/// again with a savepoint for each change and sends each statement at once, so that only the failed change is rolled
/// back.
///
/// A transaction that PostgreSQL rolls back in favour of another, because another program writes to these tables too,
/// runs again, up to ``mostReruns`` times. After that the conflicting change fails, and the others of the batch are
/// made.
///
/// Each transaction that changed something also writes its number into the row of this node. So when the connection is
/// lost during a commit, the next one can find out, under the lock, whether the commit succeeded.
final class BatchWriter {
    /// The maximum number of times that a batch is run again after a conflict with another transaction.
    static let mostReruns = 5

    private let connections: ReconnectingConnection
    private let node: String
    private let observers: PostgresChangeObservers
    private let timeouts: Timeouts
    private let clock: TimeSource
    private let metrics: StoreMetrics
    /// The number of the last transaction.
    private var number = 0
    private var outage = Outage()

    init(
        address: DatabaseAddress,
        node: String,
        notifying observers: PostgresChangeObservers,
        timeouts: Timeouts,
        clock: TimeSource,
        metrics: StoreMetrics
    ) {
        self.timeouts = timeouts
        self.observers = observers
        connections = ReconnectingConnection(to: address, as: .writer)
        self.node = node
        self.clock = clock
        self.metrics = metrics
    }

    /// Makes the changes, retrying as needed, and answers all callers.
    func commit(_ batch: [PostgresGroupCommit.Change]) {
        var batch = batch
        var isGuarded = false
        var reruns = 0
        var began = clock.instant()
        while !batch.isEmpty {
            do {
                let mayClash = reruns < Self.mostReruns
                switch try attempt(batch, isGuarded: isGuarded, mayClash: mayClash, since: began) {
                case .answered:
                    connections.succeeded()
                    outage.ended()
                    return
                case .mustBeGuarded: isGuarded = true
                case .clashed:
                    reruns += 1
                    connections.backOff()
                }
            } catch {
                guard error.isPassing else {
                    connections.close()
                    for change in batch { change.refuse(error) }
                    return
                }
                batch = withoutTimedOut(batch, because: error)
                connections.close()
                if !batch.isEmpty { connections.backOff() }
                began = clock.instant()
            }
        }
    }

    func close() {
        connections.close()
    }

    // MARK: One attempt

    private enum Attempt {
        case answered
        /// A change failed after it wrote, so the whole batch was rolled back.
        case mustBeGuarded
        /// Serialization failure or deadlock: the transaction was rolled back and can be retried.
        case clashed
    }

    /// - Throws: The error that stopped the whole batch; then no caller was answered, and nothing was changed.
    private func attempt(
        _ batch: [PostgresGroupCommit.Change],
        isGuarded: Bool,
        mayClash: Bool,
        since began: ContinuousClock.Instant
    ) throws(PostgresError) -> Attempt {
        let connection = try connections.connected()
        let shared = BatchCache()
        connection.defersWrites = !isGuarded
        let prefetched = isGuarded ? [] : Set(batch.lazy.flatMap(\.prefetched))
        try begin(on: connection, fetching: prefetched, into: shared.prefetched)

        var attempted: [AttemptedChange] = []
        attempted.reserveCapacity(batch.count)
        var hasChanged = false
        for change in batch {
            if isGuarded { try connection.run("SAVEPOINT change") }
            connection.resetOutcome()
            shared.beginChange()
            let outcome = change.attempt(connection, shared)
            guard !connection.isLost else { throw connection.loss() }
            attempted.append(outcome)
            if outcome.failure != nil { shared.undoChange() }
            if mayClash, connection.refusal?.isClash == true {
                try connection.rollBack()
                return .clashed
            }
            if outcome.failure != nil, connection.hasChanged || connection.refusal != nil {
                guard isGuarded else {
                    try connection.rollBack()
                    return .mustBeGuarded
                }
                connection.later("ROLLBACK TO change")
            } else {
                hasChanged = hasChanged || connection.hasChanged
            }
            if isGuarded { connection.later("RELEASE change") }
        }
        do throws(PostgresError) {
            connection.resetOutcome()
            try connection.change(BatchRateCounters.writing, forEach: shared.counts.rows)
            try connection.settle()
        } catch {
            guard !connection.isLost else { throw error }
            if mayClash, error.isClash {
                try connection.rollBack()
                return .clashed
            }
            guard !isGuarded else { throw error }
            try connection.rollBack()
            return .mustBeGuarded
        }
        guard isGuarded || !connection.missedInsertion else {
            try connection.rollBack()
            return .mustBeGuarded
        }
        try end(attempted, hasChanged: hasChanged || connection.hasChanged, since: began, on: connection)
        return .answered
    }

    /// Begins a transaction, takes the writer lock, and fetches rows that will be looked up, all with one message.
    ///
    /// Each statement sees what was committed before it, so rows fetched after the lock was taken do not change.
    private func begin(
        on connection: PostgresConnection,
        fetching rows: Set<PrefetchedRow> = [],
        into prefetched: PrefetchedRows = PrefetchedRows()
    ) throws(PostgresError) {
        connection.discardLater()
        connection.later("BEGIN")
        connection.later(WriterLock.taking)
        try connection.fetch(rows, into: prefetched)
    }

    private func end(
        _ attempted: [AttemptedChange],
        hasChanged: Bool,
        since began: ContinuousClock.Instant,
        on connection: PostgresConnection
    ) throws(PostgresError) {
        let changes = attempted.flatMap(\.changes)
        guard hasChanged || !changes.isEmpty else {
            try connection.run("COMMIT")
            answer(attempted, committedSince: began)
            return
        }
        number += 1
        connection.later(
            """
            INSERT INTO commits (node, number, committed) VALUES ($1, $2, pg_catalog.now())
            ON CONFLICT (node) DO UPDATE SET number = excluded.number, committed = excluded.committed
            """,
            [.text(node), .integer(number)]
        )
        for text in NotificationPayload.texts(of: changes, from: node) {
            connection.later(NotificationChannel.sending, [.text(text)])
        }
        do throws(PostgresError) {
            guard try connection.run("COMMIT").command == "COMMIT" else {
                throw PostgresError.lost("the server rolled the transaction back")
            }
        } catch {
            guard connection.isLost else { throw error }
            switch outcome(ofTransaction: number) {
            case .committed: break
            case .rolledBack: throw error
            case .unknown:
                // The commit may have succeeded, so caches must drop what it changed.
                observers.notify(ofUnknownOutcome: changes)
                let unknown = StoreUnavailableError(.outcomeUnknown, reason: error.description)
                for change in attempted { change.lost(unknown) }
                return
            }
        }
        observers.notify(changes)
        answer(attempted, committedSince: began)
    }

    private func answer(_ attempted: [AttemptedChange], committedSince began: ContinuousClock.Instant) {
        let made = attempted.count { $0.failure == nil }
        if made > 0 { metrics.committed(made, in: began.duration(to: clock.instant())) }
        for change in attempted { change.committed() }
    }

    // MARK: After a loss

    private enum Outcome {
        case committed, rolledBack, unknown
    }

    /// Finds out whether a transaction was committed whose commit was sent but not answered.
    ///
    /// It takes the lock that the lost connection held, so that transaction has ended by then.
    private func outcome(ofTransaction number: Int) -> Outcome {
        let lost = clock.instant()
        while lost.duration(to: clock.instant()) < timeouts.commitOutcome {
            connections.close()
            connections.backOff()
            do {
                let connection = try connections.connected()
                try begin(on: connection)
                let answer = try connection.run("SELECT number FROM commits WHERE node = $1", [.text(node)])
                let exists = answer.rowCount > 0 && answer[0].integer(0) == number
                try connection.run("COMMIT")
                return exists ? .committed : .rolledBack
            } catch {
                continue
            }
        }
        return .unknown
    }

    private func withoutTimedOut(
        _ batch: [PostgresGroupCommit.Change],
        because error: PostgresError
    ) -> [PostgresGroupCommit.Change] {
        let now = clock.instant()
        let isLongAway = !connections.isMade && outage.failed(at: now, timeouts: timeouts)
        return batch.filter { change in
            guard isLongAway || change.asked.duration(to: now) >= timeouts.caller else { return true }
            change.refuse(StoreUnavailableError(.notDone, reason: error.description))
            return false
        }
    }
}

/// The lock that a writer holds: one for each schema, since each may hold another server's tables.
enum WriterLock {
    /// Takes it until the transaction ends.
    static let taking =
        "SELECT pg_catalog.pg_advisory_xact_lock(\(name), \(PostgresConnection.schemaNumber)::pg_catalog.int4)"
    /// The first key of our advisory locks: the first letters of our name.
    private static let name = 0x434F_554E
}
#endif
