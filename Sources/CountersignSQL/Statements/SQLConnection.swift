internal import CountersignStorage

/// A connection of an engine, inside a transaction. Used by one thread at a time.
package protocol SQLConnection: AnyObject, SendableMetatype {
    /// The first refusal of a statement of the current change, after which the change has failed; `nil`, the default,
    /// if a closure that ignores one may continue.
    var failure: (any Error)? { get }

    /// Runs a statement that changes rows.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    func change(_ statement: SQLStatement, _ values: [SQLValue?]) throws -> Int

    /// Runs a statement that changes rows, without returning the count.
    ///
    /// An engine may send it later, together with others. If it is then refused, the engine runs the change again, and
    /// sends each statement at once.
    func write(_ statement: SQLStatement, _ values: [SQLValue?]) throws

    /// Runs a statement made by `SQLStatement.insert(into:_:values:)`.
    ///
    /// In PostgreSQL a failed insertion would abort the transaction, so the statement does nothing on a conflict. It
    /// may be sent later, as for ``write(_:_:)``.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when a key of the row is taken.
    func insert(_ statement: SQLStatement, _ values: [SQLValue?]) throws

    /// Runs a statement that changes rows once for each element of `rows`, in one message to the database if the engine
    /// can.
    func change(_ statement: SQLStatement, forEach rows: [[SQLValue?]]) throws

    /// Runs a query and passes the rows that it finds to `body`, at most `limit` of them.
    ///
    /// A row must not escape, and `body` must not run the same query.
    func query(_ statement: SQLStatement, _ values: [SQLValue?], limit: Int, _ body: (SQLRow) throws -> Void) throws
}

extension SQLConnection {
    package var failure: (any Error)? { nil }

    /// Runs it at once.
    package func write(_ statement: SQLStatement, _ values: [SQLValue?]) throws { try change(statement, values) }

    /// Runs it at once.
    package func insert(_ statement: SQLStatement, _ values: [SQLValue?]) throws { try insertAtOnce(statement, values) }

    /// Runs an insertion at once, also where an engine sends others later.
    package func insertAtOnce(_ statement: SQLStatement, _ values: [SQLValue?]) throws {
        guard try change(statement, values) > 0 else { throw StoreError.alreadyExists }
    }
}

// Inlined, because a generic function that is called through a protocol is not specialized, and every lookup uses
// these.
extension SQLConnection {
    /// The first row that a query finds, decoded by `decode`.
    @inline(__always)
    package func first<Value>(
        _ statement: SQLStatement,
        _ values: [SQLValue?],
        _ decode: (SQLRow) throws -> Value
    ) throws -> Value? {
        var found: Value?
        try query(statement, values, limit: 1) { found = try decode($0) }
        return found
    }

    /// All rows that a query finds, decoded by `decode`.
    @inline(__always)
    func all<Value>(
        _ statement: SQLStatement,
        _ values: [SQLValue?] = [],
        _ decode: (SQLRow) throws -> Value
    ) throws -> [Value] {
        var found: [Value] = []
        try query(statement, values, limit: .max) { found.append(try decode($0)) }
        return found
    }
}
