internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The table `counts`, and the counters that the current transaction will write into it.
struct SQLRateCounterRepository: RateCounterRepository {
    private static let byKey: SQLStatement = "SELECT times, ends, drained, counted FROM counts WHERE key = ?"
    private static let removing: SQLStatement = "DELETE FROM counts WHERE key = ?"
    // In SQLite this table has no rowid.
    private static let sweeping: SQLStatement = """
        DELETE FROM counts WHERE key IN (
            SELECT key FROM counts WHERE ends < ? AND (drained IS NULL OR drained < ?) ORDER BY ends LIMIT ?)
        """

    let connection: any SQLConnection
    /// `nil` in a closure that only reads.
    let batch: BatchRateCounters?

    func find(_ key: RateCounterKey) throws -> RateCounter? {
        guard let batch else { return try lookUp(key) }
        return try batch.find(key) { try lookUp(key) }
    }

    func add(
        _ times: Int,
        to key: RateCounterKey,
        lasting span: TimeInterval,
        leaking pause: TimeInterval?,
        at now: Date
    ) throws -> RateCounter {
        guard let batch else { throw ReadOnlyChangeError() }
        return try batch.add(times, to: key, lasting: span, leaking: pause, at: now) { try lookUp(key) }
    }

    func remove(_ key: RateCounterKey) throws -> Bool {
        guard let batch else { return try connection.change(Self.removing, [key.bytes.column]) > 0 }
        let existed = try batch.remove(key) { try lookUp(key) }
        _ = try connection.change(Self.removing, [key.bytes.column])
        return existed
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        if let batch {
            try connection.change(BatchRateCounters.writing, forEach: batch.rows)
            batch.beginSweep()
        }
        return try connection.change(Self.sweeping, [instant.column, instant.column, limit.column])
    }

    private func lookUp(_ key: RateCounterKey) throws -> RateCounter? {
        try connection.first(Self.byKey, [key.bytes.column]) { row in
            try RateCounter(times: row[0], ends: row[1], drained: row[2], counted: row[3])
        }
    }
}

/// Programming error: a closure that only reads has changed a counter.
struct ReadOnlyChangeError: Error {}
