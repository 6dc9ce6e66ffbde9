internal import FoundationEssentialsCompat

/// A repository over one table: the columns and the values of a record in one order, and the record that a row holds.
protocol SQLTable {
    associatedtype Record
    /// The name of the table.
    static var table: SQLText { get }
    static var columns: SQLColumns { get }
    /// The statements by the key of the rows.
    static var usual: SQLStatements { get }
    /// The values for ``columns``.
    static func values(of record: Record) throws -> [SQLValue?]
    /// The record in a row of ``columns``.
    static func record(in row: SQLRow) throws -> Record
    var connection: any SQLConnection { get }
}

/// The statements that most tables have.
struct SQLStatements: Sendable {
    /// Adds a row.
    let insert: SQLStatement
    /// Adds a row, or replaces the values of the one that has its key.
    let keep: SQLStatement
    /// Finds the row with a key.
    let find: SQLStatement
    /// Sets all columns of the row with a key.
    let update: SQLStatement
    /// Removes the row with a key.
    let remove: SQLStatement

    init<Table: SQLTable>(of table: Table.Type, key: SQLColumns) {
        let hasKey = SQLText(stringLiteral: key.list.map { "\($0) = ?" }.joined(separator: " AND "))
        insert = .insert(into: table.table, table.columns)
        keep = .upsert(into: table.table, table.columns, key: key)
        find = table.selection(hasKey)
        update = table.update(where: hasKey)
        remove = table.removal(hasKey)
    }
}

// Statements, each for a constant.
extension SQLTable {
    /// Finds the rows for which `condition` holds; it may continue with an order and a limit.
    static func selection(_ condition: SQLText) -> SQLStatement {
        "SELECT \(columns.names) FROM \(table) WHERE \(condition)"
    }

    /// Finds all rows.
    static func selection(orderedBy order: SQLText) -> SQLStatement {
        "SELECT \(columns.names) FROM \(table) ORDER BY \(order)"
    }

    /// Sets some columns, or all of them, of the rows for which `condition` holds.
    static func update(_ changing: SQLColumns = columns, where condition: SQLText) -> SQLStatement {
        "UPDATE \(table) SET \(changing.setting) WHERE \(condition)"
    }

    /// Removes the rows for which `condition` holds.
    static func removal(_ condition: SQLText) -> SQLStatement { "DELETE FROM \(table) WHERE \(condition)" }

    /// Removes the rows with the lowest values of a column that are less than `?`, at most `?` of them.
    static func sweep(by column: SQLText) -> SQLStatement { .sweep(table, by: column) }
}

// Inlined, since every lookup uses these.
extension SQLTable {
    @inline(__always)
    func first(_ statement: SQLStatement, _ values: SQLValue?...) throws -> Record? {
        try connection.first(statement, values, Self.record)
    }

    @inline(__always)
    func all(_ statement: SQLStatement, _ values: SQLValue?...) throws -> [Record] {
        try connection.all(statement, values, Self.record)
    }

    func insert(_ record: Record) throws { try insertRow(record) }

    func insertRow(_ record: Record) throws { try connection.insert(Self.usual.insert, Self.values(of: record)) }

    func keep(_ record: Record) throws { try write(record, by: Self.usual.keep) }

    /// Runs a statement for the values of a record, and of its key if the statement has a condition.
    func write(_ record: Record, by statement: SQLStatement, key: SQLValue?...) throws {
        try connection.write(statement, Self.values(of: record) + key)
    }

    func write(_ statement: SQLStatement, _ values: SQLValue?...) throws { try connection.write(statement, values) }

    /// Runs a statement at once; returns how many rows it changed.
    @discardableResult
    func run(_ statement: SQLStatement, _ values: SQLValue?...) throws -> Int {
        try connection.change(statement, values)
    }

    /// Runs a statement at once; returns whether it changed a row.
    func runs(_ statement: SQLStatement, _ values: SQLValue?...) throws -> Bool {
        try connection.change(statement, values) > 0
    }
}

/// A table whose rows expire.
protocol SQLExpiringTable {
    /// A statement of `SQLStatement.sweep(_:by:)`, or one with the same places.
    static var sweeping: SQLStatement { get }
    var connection: any SQLConnection { get }
}

extension SQLExpiringTable {
    func sweep(before instant: Date, limit: Int) throws -> Int {
        try connection.change(Self.sweeping, [instant.column, limit.column])
    }
}
