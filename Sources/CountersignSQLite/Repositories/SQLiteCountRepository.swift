internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `counts`.
struct SQLiteCountRepository: CountRepository {
    let database: Database

    func find(_ key: CountKey) throws -> Count? {
        try database.first("SELECT times, ends FROM counts WHERE key = ?", [Data(key.bytes)]) { row in
            Count(times: row[0], ends: row.instant(1))
        }
    }

    func put(_ count: Count, under key: CountKey) throws {
        try database.change(
            """
            INSERT INTO counts (key, times, ends) VALUES (?, ?, ?)
            ON CONFLICT (key) DO UPDATE SET times = excluded.times, ends = excluded.ends
            """,
            [Data(key.bytes), count.times, count.ends.column]
        )
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            "DELETE FROM counts WHERE key IN (SELECT key FROM counts WHERE ends < ? ORDER BY ends LIMIT ?)",
            [instant.column, limit]
        )
    }
}
