import CountersignSQL
import Testing

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

    @Test func `is another than one of the same text`() {
        let (one, other) = (SQLStatement("COMMIT"), SQLStatement("COMMIT"))
        #expect(one == one && one != other)
    }
}
