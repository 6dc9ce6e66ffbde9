#if PostgreSQL
internal import CountersignServer

extension Connection {
    /// Runs a statement that adds a row and says `ON CONFLICT DO NOTHING`: an error would end the transaction.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when a key of the row is taken.
    func insert(_ sql: String, _ values: [Column]) throws {
        guard try change(sql, values) > 0 else { throw StoreRefusal.alreadyExists }
    }

    /// What `decode` makes of the first row that a query finds.
    func first<Value>(_ sql: String, _ values: [Column], _ decode: (Row) throws -> Value) throws -> Value? {
        let answer = try run(sql, values)
        return answer.rowCount > 0 ? try decode(answer[0]) : nil
    }

    /// What `decode` makes of all rows that a query finds.
    func all<Value>(_ sql: String, _ values: [Column] = [], _ decode: (Row) throws -> Value) throws -> [Value] {
        let answer = try run(sql, values)
        return try (0..<answer.rowCount).map { try decode(answer[$0]) }
    }
}
#endif
