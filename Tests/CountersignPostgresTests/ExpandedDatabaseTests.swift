#if PostgreSQL
import CountersignSQL
import CountersignServer
import PostgresUnderTest
import StorageCalls
import Testing

@testable import CountersignPostgres

@Suite(
    "A node of the version before, on the tables of the next one,",
    .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need))
)
struct ExpandedDatabaseTests {
    /// A step that adds something to every table.
    private static let expansion: Migration = {
        let additions = PostgresMigrations().tables.map { table in
            """
            ALTER TABLE \(table) ADD COLUMN tomorrow TEXT;
            ALTER TABLE \(table) ADD COLUMN thereafter BIGINT NOT NULL DEFAULT 1;
            """
        }
        let sql = additions.joined(separator: "\n") + "\nCREATE TABLE futures (id TEXT NOT NULL PRIMARY KEY);"
        return Migration("0998 tomorrow", SQLText(stringLiteral: sql))
    }()

    private func contraction(since step: String) -> Migration {
        Migration("0999 thereafter", "DROP TABLE mutes", .contract(removing: ["mutes"], unusedSince: step))
    }

    private func migrate(_ schema: TestSchema, by steps: [Migration]) throws {
        let connection = try PostgresConnection(to: DatabaseAddress(schema.url), as: .migrator)
        try PostgresMigrations(steps: Schema.migrations + steps).apply(.always, on: connection)
    }

    @Test func `reads and changes everything, those that had it open too`() async throws {
        try await TestSchema.withStore { open, schema in
            try await open.add("before")
            try migrate(schema, by: [Self.expansion])
            try await open.add("beside")
            try await open.change(callEveryMethod)

            #expect(try PostgresInspection.of(schema.url).tables == .expanded)
            for migrating in Migrating.allCases {
                let started = try PostgresStore.open(schema.url, migrating: migrating)
                for name in ["before", "beside"] { #expect(try await started.has(name)) }
                try await started.add("after \(migrating)")
                try await started.change(callEveryMethod)
                #expect(try await open.has("after \(migrating)"))
                await started.close()
            }
            #expect(try PostgresStore.run("SELECT count(tomorrow) FROM access_tokens", at: schema.url) == "0")
        }
    }

    @Test func `goes on after the removal of what it does not use`() async throws {
        try await TestSchema.withStore { open, schema in
            try migrate(schema, by: [Self.expansion, contraction(since: Schema.migrations[0].name)])
            try await open.add("beside")
            let started = try PostgresStore.open(schema.url)
            #expect(try await started.has("beside"))
            await started.close()
        }
    }

    @Test func `does not start after the removal of what it may use`() async throws {
        try await TestSchema.withStore { _, schema in
            try migrate(schema, by: [Self.expansion, contraction(since: Self.expansion.name)])
            #expect(try PostgresInspection.of(schema.url).tables == .newer)
            for migrating in Migrating.allCases {
                #expect(throws: StoreError.newerSchema) { try PostgresStore.open(schema.url, migrating: migrating) }
            }
        }
    }
}
#endif
