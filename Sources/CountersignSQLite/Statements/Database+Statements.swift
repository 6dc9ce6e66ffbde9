internal import CountersignServer
internal import GRDB
internal import GRDBSQLite

/// Every statement is compiled once per connection and kept.
///
/// Values are put in and taken out by SQLite's own functions: on the way through arrays and rows of other types, a
/// statement takes three times as long.
extension Database {
    /// Runs a statement that changes rows; returns how many it changed.
    @discardableResult
    func change(_ sql: String, _ values: [Column]) throws -> Int {
        let statement = try prepared(sql, values)
        defer { sqlite3_reset(statement) }
        while try step(statement, sql) {}
        return Int(sqlite3_changes(sqliteConnection))
    }

    /// Runs a statement that adds a row, or gives one another key.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when a key of the row is taken.
    func insert(_ sql: String, _ values: [Column]) throws {
        do {
            try change(sql, values)
        } catch let error as DatabaseError where error.saysAlreadyThere {
            throw StoreRefusal.alreadyExists
        }
    }

    /// Runs a statement without values, such as one that begins or ends a part of a transaction.
    func run(_ sql: String) throws {
        try change(sql, [])
    }

    /// What `decode` makes of the first row that a query finds.
    func first<Value>(_ sql: String, _ values: [Column], _ decode: (Row) throws -> Value) throws -> Value? {
        let statement = try prepared(sql, values)
        // A row is a view of its statement, which must not stay open.
        defer { sqlite3_reset(statement) }
        return try step(statement, sql) ? decode(Row(statement: statement)) : nil
    }

    /// What `decode` makes of all rows that a query finds; it must not run the same query itself.
    func all<Value>(_ sql: String, _ values: [Column] = [], _ decode: (Row) throws -> Value) throws -> [Value] {
        let statement = try prepared(sql, values)
        defer { sqlite3_reset(statement) }
        var found: [Value] = []
        while try step(statement, sql) { found.append(try decode(Row(statement: statement))) }
        return found
    }

    private func prepared(_ sql: String, _ values: [Column]) throws -> OpaquePointer {
        let statement = try cachedStatement(sql: sql).sqliteStatement
        for (place, value) in values.enumerated() {
            let parameter = Int32(place + 1)
            let code = value?.bind(to: statement, at: parameter) ?? sqlite3_bind_null(statement, parameter)
            guard code == SQLITE_OK else { throw failure(of: sql) }
        }
        return statement
    }

    /// Goes on to the next row; whether there is one.
    private func step(_ statement: OpaquePointer, _ sql: String) throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure(of: sql)
        }
    }

    private func failure(of sql: String) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection)),
            message: String(cString: sqlite3_errmsg(sqliteConnection)),
            sql: sql
        )
    }
}

extension DatabaseError {
    fileprivate var saysAlreadyThere: Bool {
        switch extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY: true
        default: false
        }
    }
}
