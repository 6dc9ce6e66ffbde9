/// A query for the rows that belong to any of some keys, with a statement for each number of keys that is a power of
/// two.
///
/// Engines keep prepared statements, so there must be few; the last key fills the places that are left.
struct SQLKeyedQuery: Sendable {
    /// The most keys of one statement: as many changes as PostgreSQL's writer takes into one transaction.
    static let mostKeys = 128

    private let statements: [SQLStatement]

    /// - Parameter text: the query; it gets the places of the keys, with commas between them.
    init(_ text: (_ places: SQLText) -> SQLText) {
        statements = (0...Self.mostKeys.trailingZeroBitCount).map { power in
            let places = Array(repeating: "?", count: 1 << power).joined(separator: ", ")
            return SQLStatement(text(SQLText(stringLiteral: places)))
        }
    }

    /// The statement for `keys`, from 1 to ``mostKeys``, and the values of its places.
    func statement(for keys: [SQLValue]) -> (SQLStatement, [SQLValue?]) {
        let power = Int.bitWidth - (keys.count - 1).leadingZeroBitCount
        let unused = (1 << power) - keys.count
        return (statements[power], keys + Array(repeating: keys.last, count: unused))
    }
}
