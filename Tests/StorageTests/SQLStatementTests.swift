import Testing

@testable import CountersignSQL

@Suite("A statement")
struct SQLStatementTests {
    @Test func `numbers its places for PostgreSQL, and leaves them to SQLite`() {
        let statement: SQLStatement = "SELECT a FROM t WHERE b = ? AND c < ? LIMIT ?"
        #expect(statement[.sqlite] == "SELECT a FROM t WHERE b = ? AND c < ? LIMIT ?")
        #expect(statement[.postgres] == "SELECT a FROM t WHERE b = $1 AND c < $2 LIMIT $3")
    }

    @Test func `is in the words of each dialect`() {
        let word = SQLText(sqlite: "BLOB", postgres: "BYTEA")
        let statement: SQLStatement = "SELECT CAST(? AS \(word)), \(word)"
        #expect(statement[.sqlite] == "SELECT CAST(? AS BLOB), BLOB")
        #expect(statement[.postgres] == "SELECT CAST($1 AS BYTEA), BYTEA")
    }

    @Test func `has parts with names, which differ between dialects`() {
        let newest: SQLText = "SELECT id FROM clients ORDER BY created DESC, \(.arrival) DESC"
        #expect(newest[.sqlite] == "SELECT id FROM clients ORDER BY created DESC, rowid DESC")
        #expect(newest[.postgres] == "SELECT id FROM clients ORDER BY created DESC, arrival DESC")
    }

    @Test func `is another than one of the same text`() {
        let (one, other) = (SQLStatement("COMMIT"), SQLStatement("COMMIT"))
        #expect(one == one && one != other)
    }
}
