internal import CountersignServer
internal import Foundation
internal import GRDB

/// The table `counts`.
struct SQLiteCountRepository: CountRepository {
    let database: Database

    func find(_ key: CountKey) throws -> Count? {
        try database.first("SELECT times, ends FROM counts WHERE key = ?", [key.bytes], count)
    }

    func add(_ times: Int, to key: CountKey, lasting span: TimeInterval, at now: Date) throws -> Count {
        let count = try database.first(
            """
            INSERT INTO counts (key, times, ends) VALUES (?1, MAX(0, ?2), ?3)
            ON CONFLICT (key) DO UPDATE SET
                times = MAX(0, CASE WHEN ends > ?4 AND ends <= ?3 THEN times + ?2 ELSE ?2 END),
                ends = CASE WHEN ends > ?4 AND ends <= ?3 THEN ends ELSE ?3 END
            RETURNING times, ends
            """,
            [key.bytes, times, (now + span).column, now.column],
            count
        )
        // An insertion that succeeds returns its row.
        return count ?? Count(times: times, ends: now + span)
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try database.change(
            "DELETE FROM counts WHERE key IN (SELECT key FROM counts WHERE ends < ? ORDER BY ends LIMIT ?)",
            [instant.column, limit]
        )
    }

    private func count(in row: Row) -> Count { Count(times: row[0], ends: row.instant(1)) }
}
