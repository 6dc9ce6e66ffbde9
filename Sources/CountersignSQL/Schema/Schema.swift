/// A step from one state of the tables to the next.
package struct Migration: Sendable {
    /// Under this name the database lists the step once it was run.
    package let name: String
    package let sql: SQLText

    package init(_ name: String, _ sql: SQLText) {
        self.name = name
        self.sql = sql
    }
}

/// The tables, as every engine has them.
///
/// Instants are numbers: seconds since 2001-01-01 00:00 UTC, which is what `Date` itself holds, so every instant comes
/// back as it went in (add 978307200 for Unix time). Digests are 32 bytes. Records stand in columns of their own: to
/// parse one from JSON takes several times as long as to find its row. JSON is left where a value has parts and is
/// seldom read.
package enum Schema {
    /// The steps from an empty database to the tables of today, in order.
    ///
    /// A step that was released is never edited: what must change is a new step at the end. Until the first release the
    /// one step is edited in place.
    package static let migrations = [
        Migration(
            "0001 tables",
            [registrations, exchanges, signIns, tokens, nearby, counts, audit].reduce("") { "\($0)\n\($1)" }
        )
    ]
}

// What differs between the engines in a definition.
extension SQLText {
    /// Texts are compared byte by byte, whatever the language of the database.
    static let text = SQLText(sqlite: "TEXT", postgres: "TEXT COLLATE \"C\"")
    static let bytes = SQLText(sqlite: "BLOB", postgres: "BYTEA")
    static let real = SQLText(sqlite: "REAL", postgres: "DOUBLE PRECISION")
    static let integer = SQLText(sqlite: "INTEGER", postgres: "BIGINT")

    /// What follows the columns of a table: SQLite checks types only when it is asked to.
    static let strict = SQLText(sqlite: "STRICT", postgres: "")
    /// The same for a table whose rows SQLite is to keep in the order of its primary key.
    ///
    /// Tables with a random digest as their key keep their rows in the order of arrival instead, with an index on the
    /// digest. Rows are then written and swept in sequence, and only a small index is met at random: against WITHOUT
    /// ROWID an insertion takes a fifth less of the writer's time and the file is a fifth smaller, while a look-up pays
    /// for a second probe.
    static let strictByKey = SQLText(sqlite: "STRICT, WITHOUT ROWID", postgres: "")

    /// Defines ``arrival``, as the last column.
    static let withArrival = SQLText(sqlite: "", postgres: ",\narrival BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY")
    /// Puts ``arrival`` at the end of an index.
    static let thenArrival = SQLText(sqlite: "", postgres: ", arrival")
}
