import CountersignSQL
import KeptDatabases
import Testing

@Suite("The tables that a release left")
struct KeptSchemaTests {
    @Test func `are kept for each release`() {
        #expect(KeptDatabase.all.map(\.release).contains("0.1.0"))
    }

    /// Expand, roll, contract: nodes of a release go on while those of the next replace them.
    @Test(arguments: KeptDatabase.all, KeptDatabase.Engine.allCases)
    func `have all that its programs use after the migrations of today`(
        kept: KeptDatabase,
        engine: KeptDatabase.Engine
    ) async throws {
        try await ScratchDatabase.with(engine) { database in
            try database.restore(kept)
            let (before, known) = (try database.tables(), try database.steps())
            try await database.withStore { _ in }
            let removals = Removals(from: Schema.migrations.filter { !known.contains($0.name) }, knowing: known)
            // The programs of the last release are refused by nothing.
            #expect(removals.isUsable || kept != KeptDatabase.all.last)
            let objections = before.objections(to: try database.tables(), removing: removals.unused)
            #expect(objections == [] || !removals.isUsable)
        }
    }

    /// If it fails, a step was edited that this release has run: make it a new step.
    @Test(arguments: KeptDatabase.all, KeptDatabase.Engine.allCases)
    func `become those of a new database`(kept: KeptDatabase, engine: KeptDatabase.Engine) async throws {
        var tables: [TableDescription] = []
        for isKept in [true, false] {
            try await ScratchDatabase.with(engine) { database in
                if isKept { try database.restore(kept) }
                try await database.withStore { _ in }
                tables.append(try database.tables())
            }
        }
        #expect(tables[0].columns.symmetricDifference(tables[1].columns) == [])
        #expect(tables[0].keys.symmetricDifference(tables[1].keys) == [])
        #expect(tables[0].constraints.symmetricDifference(tables[1].constraints) == [])
        #expect(tables[0].indexes.symmetricDifference(tables[1].indexes) == [])
    }

    /// The removals of some steps, as programs see them that know none of these.
    private struct Removals {
        /// The tables and columns that such a program does not use.
        let unused: Set<String>
        /// Whether such a program works with the tables after the steps.
        let isUsable: Bool

        init(from steps: [Migration], knowing known: Set<String>) {
            let contractions = steps.compactMap { step -> (names: [String], since: String)? in
                guard case .contract(let names, let since) = step.effect else { return nil }
                return (names, since)
            }
            isUsable = contractions.allSatisfy { known.contains($0.since) }
            unused = Set(contractions.filter { known.contains($0.since) }.flatMap(\.names))
        }
    }
}
