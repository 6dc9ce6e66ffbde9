#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A repository over one table: the columns and the values of a record in one order, and the record that a row holds.
protocol SQLTable {
    associatedtype Record
    /// The name of the table.
    static var table: SQLText { get }
    static var columns: SQLColumns { get }
    /// The values for ``columns``.
    static func values(of record: Record) throws -> [SQLValue?]
    /// The record in a row of ``columns``.
    static func record(in row: SQLRow) throws -> Record
    var connection: any SQLConnection { get }
}

// Statements, each for a constant.
extension SQLTable {
    /// Adds a row, for ``insert(_:by:)``.
    static func insertion() -> SQLStatement { .insert(into: table, columns) }

    /// Adds a row, or replaces the values of the one that has its key.
    static func upsert(key: SQLColumns) -> SQLStatement { .upsert(into: table, columns, key: key) }

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
        "UPDATE \(table) SET (\(changing.names)) = (\(changing.places)) WHERE \(condition)"
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

    func insert(_ record: Record, by statement: SQLStatement) throws {
        try connection.insert(statement, Self.values(of: record))
    }

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
