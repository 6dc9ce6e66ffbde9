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

    /// Runs a statement that adds a row.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when a key of the row is taken.
    func insert(_ sql: String, _ arguments: StatementArguments) throws {
        do {
            try cachedStatement(sql: sql).execute(arguments: arguments)
        } catch let error as DatabaseError where error.saysAlreadyThere {
            throw StoreRefusal.alreadyExists
        }
    }

    /// The first row that a query finds.
    func first(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// All rows that a query finds.
    func all(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
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
