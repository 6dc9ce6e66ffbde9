/// The supported SQL dialects.
package enum SQLDialect: Sendable, CaseIterable {
    case sqlite, postgres
}

/// A piece of SQL in every SQL dialect. Parts that differ between SQL dialects have names, here or in `Schema/`.
///
/// ```swift
/// let newest: SQLText = "SELECT id FROM clients ORDER BY created DESC, \(.arrival) DESC"
/// ```
package struct SQLText: Sendable, ExpressibleByStringInterpolation {
    private let sqlite: String
    private let postgres: String

    package init(sqlite: String, postgres: String) {
        self.sqlite = sqlite
        self.postgres = postgres
    }

    package init(stringLiteral text: String) {
        self.init(sqlite: text, postgres: text)
    }

    package init(stringInterpolation: StringInterpolation) {
        self.init(sqlite: stringInterpolation.sqlite, postgres: stringInterpolation.postgres)
    }

    package subscript(dialect: SQLDialect) -> String {
        switch dialect {
        case .sqlite: sqlite
        case .postgres: postgres
        }
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sqlite = ""
        fileprivate var postgres = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            sqlite += literal
            postgres += literal
        }

        package mutating func appendInterpolation(_ text: SQLText) {
            sqlite += text.sqlite
            postgres += text.postgres
        }
    }
}

extension SQLText {
    /// The column that orders rows of the same instant by their insertion.
    ///
    /// SQLite's `rowid` is also the last column of every index. PostgreSQL has no equivalent, so its tables have a
    /// separate column.
    static let arrival = SQLText(sqlite: "rowid", postgres: "arrival")

    /// A condition that holds for the rows of `table` that a subquery finds, for deletes and updates with a limit.
    ///
    /// - Parameter subquery: what follows `WHERE` in it.
    static func rows(of table: SQLText, where subquery: SQLText) -> SQLText {
        let inSQLite: SQLText = "rowid IN (SELECT rowid FROM \(table) WHERE \(subquery))"
        // PostgreSQL uses `ctid` for the search only when the list is computed first.
        let inPostgres: SQLText = "ctid = ANY(ARRAY(SELECT ctid FROM \(table) WHERE \(subquery)))"
        return SQLText(sqlite: inSQLite[.sqlite], postgres: inPostgres[.postgres])
    }
}

/// The names of some columns of a table, in the order of writing and reading their values.
struct SQLColumns: Sendable, ExpressibleByArrayLiteral {
    let list: [String]

    init(arrayLiteral names: String...) { list = names }
    private init(_ list: [String]) { self.list = list }

    var count: Int { list.count }

    /// The names, with commas between them.
    var names: SQLText { SQLText(stringLiteral: list.joined(separator: ", ")) }

    /// A `?` for the value of each, with commas between them.
    var places: SQLText { SQLText(stringLiteral: list.map { _ in "?" }.joined(separator: ", ")) }

    /// For an update: sets each column to a value.
    var setting: SQLText { SQLText(stringLiteral: list.map { "\($0) = ?" }.joined(separator: ", ")) }

    /// For an upsert: sets each column that is not in `key` to its value in the new row.
    func settingAll(but key: SQLColumns) -> SQLText {
        let changing = list.filter { !key.list.contains($0) }
        return SQLText(stringLiteral: changing.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
    }

    static func + (left: SQLColumns, right: SQLColumns) -> SQLColumns { SQLColumns(left.list + right.list) }
}
