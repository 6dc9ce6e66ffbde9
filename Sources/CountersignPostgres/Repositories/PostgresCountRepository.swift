#if PostgreSQL
internal import CountersignServer
internal import Foundation

/// The table `counts`, and what the transaction that runs will write into it.
struct PostgresCountRepository: CountRepository {
    let connection: Connection
    /// `nil` where a closure only reads.
    let batch: BatchCounts?

    func find(_ key: CountKey) throws -> Count? {
        guard let batch else { return try lookUp(key) }
        return try batch.find(key) { try lookUp(key) }
    }

    func add(_ times: Int, to key: CountKey, lasting span: TimeInterval, at now: Date) throws -> Count {
        guard let batch else { throw DatabaseTrouble.lost("a closure that only reads has counted") }
        return try batch.add(times, to: key, lasting: span, at: now) { try lookUp(key) }
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        if let batch {
            try Self.write(batch, on: connection)
            batch.beginSweep()
        }
        return try connection.change(
            """
            DELETE FROM counts WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM counts WHERE ends < $1 ORDER BY ends LIMIT $2))
            """,
            [instant.column, limit]
        )
    }

    /// Writes what a batch has counted, all in one message.
    static func write(_ batch: BatchCounts, on connection: Connection) throws(DatabaseTrouble) {
        var written = batch.written
        guard let last = written.popLast() else { return }
        for (key, count) in written { connection.later(replacement, values(key, count)) }
        try connection.change(replacement, values(last.key, last.count))
    }

    private static let replacement = """
        INSERT INTO counts (key, times, ends) VALUES ($1, $2, $3)
        ON CONFLICT (key) DO UPDATE SET times = excluded.times, ends = excluded.ends
        """

    private static func values(_ key: CountKey, _ count: Count) -> [Column] {
        [key.bytes, count.times, count.ends.column]
    }

    private func lookUp(_ key: CountKey) throws -> Count? {
        try connection.first("SELECT times, ends FROM counts WHERE key = $1", [key.bytes]) { row in
            Count(times: try row.whole(0), ends: try row.instant(1))
        }
    }
}
#endif
