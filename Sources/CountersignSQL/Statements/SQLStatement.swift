/// A statement, rendered once for each SQL dialect. Engines cache its prepared form by object identity.
///
/// A `?` stands for each value; PostgreSQL gets `$1`, `$2` and so on. Statements are constants (`static let`), so that
/// none is built when it is run, and engines keep them prepared.
package final class SQLStatement: Sendable, ExpressibleByStringInterpolation {
    private let text: SQLText

    package init(_ text: SQLText) {
        self.text = SQLText(sqlite: text[.sqlite], postgres: Self.numberingPlaces(in: text[.postgres]))
    }

    package convenience init(stringLiteral text: String) {
        self.init(SQLText(stringLiteral: text))
    }

    package convenience init(stringInterpolation: SQLText.StringInterpolation) {
        self.init(SQLText(stringInterpolation: stringInterpolation))
    }

    package subscript(dialect: SQLDialect) -> String { text[dialect] }

    private static func numberingPlaces(in sql: String) -> String {
        let parts = sql.split(separator: "?", omittingEmptySubsequences: false)
        return parts.dropFirst().enumerated().reduce(into: String(parts[0])) { numbered, part in
            numbered += "$\(part.offset + 1)\(part.element)"
        }
    }
}

extension SQLStatement: Hashable {
    package static func == (left: SQLStatement, right: SQLStatement) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension SQLStatement {
    /// Adds a row, or none when one of its keys is taken; for ``SQLConnection/insert(_:_:)``.
    ///
    /// - Parameter values: The expressions for the bound values; a `?` for each column by default.
    static func insert(into table: SQLText, _ columns: SQLColumns, values: SQLText? = nil) -> SQLStatement {
        "INSERT INTO \(table) (\(columns.names)) VALUES (\(values ?? columns.places)) ON CONFLICT DO NOTHING"
    }

    /// Adds a row, or replaces the values of the one that has its key.
    static func upsert(into table: SQLText, _ columns: SQLColumns, key: SQLColumns) -> SQLStatement {
        """
        INSERT INTO \(table) (\(columns.names)) VALUES (\(columns.places))
        ON CONFLICT (\(key.names)) DO UPDATE SET \(columns.settingAll(but: key))
        """
    }

    /// Removes the rows with the lowest values of a column that are less than `?`, at most `?` of them.
    static func sweep(_ table: SQLText, by column: SQLText) -> SQLStatement {
        let oldest: SQLText = "\(column) < ? ORDER BY \(column) LIMIT ?"
        return "DELETE FROM \(table) WHERE \(.rows(of: table, where: oldest))"
    }
}
