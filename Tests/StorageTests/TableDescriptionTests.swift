import KeptDatabases
import Testing

@Suite("Tables, for a program that was written for earlier ones,")
struct TableDescriptionTests {
    typealias Column = TableDescription.Column
    typealias Key = TableDescription.Key

    private static let before = TableDescription(
        columns: [
            Column("people", "subject", "TEXT", isRequired: true),
            Column("people", "name", "TEXT", isRequired: false),
            Column("people", "rank", "BIGINT", isRequired: true, hasDefault: true),
            Column("codes", "digest", "BYTEA", isRequired: true),
        ],
        keys: [Key("people", ["subject"]), Key("codes", ["digest"])]
    )

    private func objections(removing: Set<String> = [], _ change: (inout TableDescription) -> Void) -> [String] {
        var later = Self.before
        change(&later)
        return Self.before.objections(to: later, removing: removing)
    }

    @Test func `may have more tables, and more columns that may be left out`() {
        let found = objections { later in
            later.columns.insert(Column("people", "ends", "REAL", isRequired: false))
            later.columns.insert(Column("people", "state", "TEXT", isRequired: true, hasDefault: true))
            later.columns.insert(Column("exports", "subject", "TEXT", isRequired: true))
            later.keys.insert(Key("exports", ["subject"]))
            later.keys.insert(Key("people", ["ends"]))
            later.constraints.insert(TableDescription.Constraint("exports", "CHECK (subject <> '')"))
        }
        #expect(found == [])
    }

    @Test func `lack nothing that it uses`() {
        let lessColumns: (inout TableDescription) -> Void = { later in
            later.columns = later.columns.filter { $0.table != "codes" && $0.name != "name" }
            later.keys = later.keys.filter { $0.table != "codes" }
        }
        #expect(objections(lessColumns) == ["the column people.name is gone", "the table codes is gone"])
        #expect(objections(removing: ["people.name", "codes"], lessColumns) == [])
    }

    @Test func `take all values that it writes`() {
        let found = objections { later in
            later.columns = [
                Column("people", "subject", "BIGINT", isRequired: true),
                Column("people", "name", "TEXT", isRequired: true, hasDefault: true),
                Column("people", "rank", "BIGINT", isRequired: true),
                Column("people", "added", "TEXT", isRequired: true),
                Column("codes", "digest", "BYTEA", isRequired: true),
            ]
            later.keys.insert(Key("people", ["name"]))
            later.constraints.insert(TableDescription.Constraint("people", "CHECK (rank > 0)"))
        }
        #expect(
            found == [
                "people by name has to be unique", "people has a new constraint: CHECK (rank > 0)",
                "people.added is new and has no default", "people.name must not be NULL any more",
                "people.rank has no default any more", "people.subject has another type",
            ])
    }

    @Test func `keep the keys by which it replaces rows`() {
        #expect(objections { $0.keys.remove(Key("people", ["subject"])) } == ["people by subject is no longer unique"])
    }
}
