internal import CountersignServer
internal import Foundation

/// The table `counts`, and what the transaction that runs will write into it.
struct SQLCountRepository: CountRepository {
    private static let byKey: SQLStatement = "SELECT times, ends FROM counts WHERE key = ?"
    // In SQLite this table has no rowid.
    private static let sweeping: SQLStatement =
        "DELETE FROM counts WHERE key IN (SELECT key FROM counts WHERE ends < ? ORDER BY ends LIMIT ?)"

    let connection: any SQLConnection
    /// `nil` where a closure only reads.
    let batch: BatchCounts?

    func find(_ key: CountKey) throws -> Count? {
        guard let batch else { return try lookUp(key) }
        return try batch.find(key) { try lookUp(key) }
    }

    func add(_ times: Int, to key: CountKey, lasting span: TimeInterval, at now: Date) throws -> Count {
        guard let batch else { throw CountedWhileReading() }
        return try batch.add(times, to: key, lasting: span, at: now) { try lookUp(key) }
    }

    func sweep(before instant: Date, limit: Int) throws -> Int {
        if let batch {
            try connection.change(BatchCounts.writing, forEach: batch.rows)
            batch.beginSweep()
        }
        return try connection.change(Self.sweeping, [instant.column, limit.column])
    }

    private func lookUp(_ key: CountKey) throws -> Count? {
        try connection.first(Self.byKey, [key.bytes.column]) { row in
            Count(times: try row.integer(0), ends: try row.instant(1))
        }
    }
}

/// A closure that only reads has counted something, which is a mistake in the program.
struct CountedWhileReading: Error {}
