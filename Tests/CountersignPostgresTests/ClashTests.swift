#if PostgreSQL
import Countersign
import CountersignServer
import NIOConcurrencyHelpers
import PostgresUnderTest
import Testing

@testable import CountersignPostgres

/// Somebody else who writes to the same tables, and whom PostgreSQL prefers.
@Suite(
    "A change that clashes with another transaction",
    .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct ClashTests {
    @Test(arguments: ["40001", "40P01"], [1, BatchWriter.mostReruns])
    func `is run again until it is made`(state: String, times: Int) async throws {
        try await TestSchema.withStore { store, schema in
            try schema.refuse("victim", with: state, times: times)
            let runs = try await store.addCounting("victim")
            #expect(try await store.has("victim"))
            #expect(runs == times + 1)
        }
    }

    @Test func `is given up when it clashes again and again, and its neighbours are made`() async throws {
        try await TestSchema.withStore { store, schema in
            try schema.refuse("victim", with: "40001", times: 1_000)
            async let neighbours: [Void] = all(40) { try await store.add("neighbour \($0)") }
            await #expect(throws: StoreUnavailableError(.notDone, reason: "")) { try await store.add("victim") }
            #expect(try await neighbours.count == 40)
            #expect(try await store.has("victim") == false)
            for number in 0..<40 { #expect(try await store.has("neighbour \(number)")) }
        }
    }

    @Test func `is run again when it clashes only at its commit`() async throws {
        try await TestSchema.withStore { store, schema in
            try schema.refuse("victim", with: "40001", times: 1, isDeferred: true)
            #expect(try await store.addCounting("victim") == 2)
            #expect(try await store.has("victim"))
        }
    }

    @Test func `is run once more alone when it is refused for another reason, and then given up`() async throws {
        try await TestSchema.withStore { store, schema in
            try schema.refuse("victim", with: "22012", times: 2)
            async let neighbours: [Void] = all(40) { try await store.add("neighbour \($0)") }
            await #expect(throws: PostgresError.self) { try await store.add("victim") }
            #expect(try await neighbours.count == 40)
            #expect(try await store.has("victim") == false)
            for number in 0..<40 { #expect(try await store.has("neighbour \(number)")) }
        }
    }
}

extension TestSchema {
    /// Refuses the first `times` attempts to add the token `name`. A sequence counts them, which no rollback sets back.
    fileprivate func refuse(_ name: String, with state: String, times: Int, isDeferred: Bool = false) throws {
        let (kind, when) = isDeferred ? ("CONSTRAINT", "AFTER") : ("", "BEFORE")
        try PostgresStore.run(
            """
            CREATE SEQUENCE attempts;
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('attempts') <= \(times) THEN
                    RAISE EXCEPTION 'another is preferred' USING ERRCODE = '\(state)';
                END IF;
                RETURN NEW;
            END $$;
            CREATE \(kind) TRIGGER refuse \(when) INSERT ON access_tokens
                \(isDeferred ? "DEFERRABLE INITIALLY DEFERRED" : "")
                FOR EACH ROW WHEN (NEW.id = '\(name)') EXECUTE FUNCTION refuse()
            """,
            at: url
        )
    }
}

extension Store {
    /// Adds a token; returns how often the change ran.
    fileprivate func addCounting(_ name: String) async throws -> Int {
        let (record, runs) = (token(name), NIOLockedValueBox(0))
        try await change {
            runs.withLockedValue { $0 += 1 }
            try $0.accessTokens.insert(record)
        }
        return runs.withLockedValue { $0 }
    }
}
#endif
