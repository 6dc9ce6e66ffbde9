internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `counts`, and what the transaction that runs will write into it.
struct SQLiteCountRepository: CountRepository {
    let database: Database
    /// `nil` where a closure only reads.
    let batch: BatchCounts?

    func find(_ key: CountKey) throws -> Count? {
        guard let batch else { return try lookUp(key) }
        return try batch.find(key) { try lookUp(key) }
    }

    func add(_ times: Int, to key: CountKey, lasting span: TimeInterval, at now: Date) throws -> Count {
        guard let batch else { throw DatabaseError(resultCode: .SQLITE_READONLY) }
        return try batch.add(times, to: key, lasting: span, at: now) { try lookUp(key) }
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        if let batch {
            try Self.write(batch, into: database)
            batch.beginSweep()
        }
        return try database.change(
            "DELETE FROM counts WHERE key IN (SELECT key FROM counts WHERE ends < ? ORDER BY ends LIMIT ?)",
            [instant.column, limit]
        )
    }

    /// Writes what a batch has counted.
    static func write(_ batch: BatchCounts, into database: Database) throws {
        for (key, count) in batch.written {
            try database.change(
                """
                INSERT INTO counts (key, times, ends) VALUES (?, ?, ?)
                ON CONFLICT (key) DO UPDATE SET times = excluded.times, ends = excluded.ends
                """,
                [key.bytes, count.times, count.ends.column]
            )
        }
    }

    private func lookUp(_ key: CountKey) throws -> Count? {
        try database.first("SELECT times, ends FROM counts WHERE key = ?", [key.bytes]) { row in
            Count(times: row[0], ends: row.instant(1))
        }
    }
}
