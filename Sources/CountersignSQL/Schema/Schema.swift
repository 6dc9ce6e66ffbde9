/// A step from one state of the tables to the next.
///
/// Nodes of two releases may share a database: those of the earlier one work with the tables of the later one, because a
/// release only adds to them, and removes what no program has used since the release before.
package struct Migration: Sendable {
    /// The effect on programs that do not know the step.
    package enum Effect: Sendable, Equatable {
        /// Adds tables, indexes, and columns that may be left out: such programs go on.
        case expand
        /// Removes tables, or columns as `table.column`, that programs which know the named step do not use: those that
        /// do not know that step either must not go on.
        case contract(removing: [String], unusedSince: String)
    }

    /// The name that the database lists the step by once it was run.
    package let name: String
    package let sql: SQLText
    package let effect: Effect

    package init(_ name: String, _ sql: SQLText, _ effect: Effect = .expand) {
        self.name = name
        self.sql = sql
        self.effect = effect
    }

    /// The name of the step that a program has to know to work with the tables after this one; `nil` for none.
    package var required: String? {
        switch effect {
        case .expand: nil
        case .contract(_, let step): step
        }
    }
}

/// The tables of every engine.
///
/// Instants are numbers: seconds since 2001-01-01 00:00 UTC, as `Date` stores them, so every instant is read exactly as
/// it was written (add 978307200 for Unix time). Digests are 32 bytes. Records are stored in separate columns: parsing
/// JSON takes several times as long as finding the row. JSON is used only for values that have parts and are rarely
/// read.
package enum Schema {
    /// The steps from an empty database to the current tables, in order.
    ///
    /// A released step is never edited; changes are new steps at the end, and `Tests/KeptDatabases` has the tables that
    /// each release left.
    package static let migrations = [
        Migration(
            "0001 tables",
            [
                registrations, groups, identities, secondFactors, environments, devices, exchanges, signIns,
                rememberedScreens,
                notices, deliveries, phoneNumbers, mutes,
                authorizations, tokens, decisions,
                counts, audit,
            ].reduce("") { "\($0)\n\($1)" }
        ),
        Migration("0002 addressees of deliveries", addressees),
        Migration("0003 browser pushes", browserPushes),
        Migration(
            "0004 services",
            """
            \(RequestColumns.serviceDefinitions(in: "exchanges"))
            \(RequestColumns.serviceDefinitions(in: "sign_ins"))
            """),
        Migration("0005 positions of browser sessions", positionsOfBrowserSessions),
        Migration("0006 served settings", servedSettings),
    ]
}

// Differences between the engines in definitions.
extension SQLText {
    /// Texts are compared byte by byte, whatever the language of the database.
    static let text = SQLText(sqlite: "TEXT", postgres: "TEXT COLLATE \"C\"")
    static let bytes = SQLText(sqlite: "BLOB", postgres: "BYTEA")
    static let real = SQLText(sqlite: "REAL", postgres: "DOUBLE PRECISION")
    static let integer = SQLText(sqlite: "INTEGER", postgres: "BIGINT")

    /// The end of a table definition: SQLite checks types only in `STRICT` tables.
    static let strict = SQLText(sqlite: "STRICT", postgres: "")
    /// The same for a table whose rows SQLite stores in the order of its primary key.
    ///
    /// It is for keys that are time-ordered or are looked up more often than inserted: a lookup reads one page instead
    /// of one of an index and one of the table. Tables with a random key, or with many indexes that would each repeat
    /// the key, store their rows in order of insertion instead.
    static let strictByKey = SQLText(sqlite: "STRICT, WITHOUT ROWID", postgres: "")

    /// The type of a column whose values SQLite takes for the numbers of the rows (``RowNumber``).
    static let rowNumber = SQLText(sqlite: "INTEGER PRIMARY KEY", postgres: "BIGINT")
    /// Ends the columns of a table with row numbers. PostgreSQL lets rows have the same number, if not the same key.
    static func numbering(_ key: String) -> SQLText { SQLText(sqlite: "", postgres: ",\nPRIMARY KEY (number, \(key))") }

    /// Defines ``arrival``, as the last column.
    static let withArrival = SQLText(sqlite: "", postgres: ",\narrival BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY")
    /// Puts ``arrival`` at the end of an index.
    static let thenArrival = SQLText(sqlite: "", postgres: ", arrival")
}
