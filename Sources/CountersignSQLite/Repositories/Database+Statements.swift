internal import CountersignServer
internal import GRDB

/// Every statement is compiled once per connection and kept.
extension Database {
    /// Runs a statement that changes rows; returns how many it changed.
    @discardableResult
    func change(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        try cachedStatement(sql: sql).execute(arguments: arguments)
        return changesCount
    }

    /// Runs a statement that adds a row, or gives one another key.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when a key of the row is taken.
    func insert(_ sql: String, _ arguments: StatementArguments) throws {
        do {
            try cachedStatement(sql: sql).execute(arguments: arguments)
        } catch let error as DatabaseError where error.saysAlreadyThere {
            throw StoreRefusal.alreadyExists
        }
    }

    /// What `decode` makes of the first row that a query finds.
    func first<Value>(
        _ sql: String,
        _ arguments: StatementArguments,
        _ decode: (Row) throws -> Value
    ) throws -> Value? {
        let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        // A row is a view of its statement, which ends with the cursor.
        return try withExtendedLifetime(rows) { try rows.next().map(decode) }
    }

    /// What `decode` makes of all rows that a query finds.
    func all<Value>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        _ decode: (Row) throws -> Value
    ) throws -> [Value] {
        let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        var values: [Value] = []
        while let row = try rows.next() { values.append(try decode(row)) }
        return values
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
