#if PostgreSQL
internal import CountersignServer
internal import Foundation

/// The table `counts`.
struct PostgresCountRepository: CountRepository {
    let connection: Connection

    func find(_ key: CountKey) throws -> Count? {
        try connection.first("SELECT times, ends FROM counts WHERE key = $1", [key.bytes], count)
    }

    func add(_ times: Int, to key: CountKey, lasting span: TimeInterval, at now: Date) throws -> Count {
        let answer = try connection.changing(
            """
            INSERT INTO counts AS c (key, times, ends) VALUES ($1, GREATEST(0, $2::bigint), $3)
            ON CONFLICT (key) DO UPDATE SET
                times = GREATEST(0, $2::bigint + CASE WHEN c.ends > $4 AND c.ends <= $3 THEN c.times ELSE 0 END),
                ends = CASE WHEN c.ends > $4 AND c.ends <= $3 THEN c.ends ELSE $3 END
            RETURNING times, ends
            """,
            [key.bytes, times, (now + span).column, now.column]
        )
        // An insertion that succeeds returns its row.
        return answer.rowCount > 0 ? try count(in: answer[0]) : Count(times: times, ends: now + span)
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(
            """
            DELETE FROM counts WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM counts WHERE ends < $1 ORDER BY ends LIMIT $2))
            """,
            [instant.column, limit]
        )
    }

    private func count(in row: Row) throws -> Count { Count(times: try row.whole(0), ends: try row.instant(1)) }
}
#endif
