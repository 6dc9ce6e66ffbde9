package import Countersign

/// The number that SQLite stores the row of a time-ordered digest under.
///
/// SQLite finds a row by its number in a tree that branches three hundred times at each level, so that all but the last
/// level stays in memory; by the digest itself it would branch sixteen times. Rows are neighbours if their secrets were
/// minted one after the other, as in the order of the digests.
package struct RowNumber: Sendable, Equatable {
    /// 41 bits of the milliseconds since 1970, and 22 of the rest of the digest. The instants wrap around to zero in
    /// 2039, which costs locality once.
    package let rawValue: Int

    /// The count of numbers in a row that are tried when another digest has the number already: of thirty tokens that
    /// are minted in one millisecond, two have the same number once in ten thousand times.
    static let attempts = 16

    package init(of digest: SecretDigest) {
        let bits = digest.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        let more = UInt64(digest.bytes.dropFirst(8).first ?? 0) >> 2
        // The greatest number leaves room for the attempts.
        rawValue = min(Int((bits << 6 | more) & UInt64(Int.max)), Int.max - Self.attempts)
    }

    /// The greatest number that the row can have.
    var last: Int { rawValue + Self.attempts - 1 }
}

extension SQLText {
    /// Holds for the row of a digest, whose number and digest are `?1` to `?3`: the number, its last, the digest.
    static func isRow(of key: String) -> SQLText { SQLText(stringLiteral: "number BETWEEN ? AND ? AND \(key) = ?") }

    /// The first two values of a new row: a number and a digest.
    ///
    /// In SQLite the number is the first from the given one on that no other digest has. An existing digest causes a
    /// conflict, since it is that of its row.
    static func numbered(in table: String, by key: String) -> SQLText {
        func isTaken(_ number: String) -> String {
            "EXISTS (SELECT 1 FROM \(table) WHERE number = \(number) AND \(key) <> ?2)"
        }
        let free = """
            WITH RECURSIVE attempts(n) AS (
                SELECT ?1 UNION ALL SELECT n + 1 FROM attempts WHERE \(isTaken("n")) LIMIT \(RowNumber.attempts)
            ) SELECT max(n) FROM attempts
            """
        return SQLText(sqlite: "CASE WHEN \(isTaken("?1")) THEN (\(free)) ELSE ?1 END, ?2", postgres: "?, ?")
    }
}
