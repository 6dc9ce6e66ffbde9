#if PostgreSQL
import Countersign
import CountersignSQL
import CountersignServer
import Foundation
import PostgresUnderTest
import Testing

@testable import CountersignPostgres

@Suite("A PostgreSQL store that is opened", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct OpeningTests {
    private let shared = TestSchema.shared ?? ""

    @Test func `keeps what was there`() async throws {
        try await TestSchema.withStore { store, schema in
            try await store.add("token")
            await store.close()
            let again = try PostgresStore.open(schema.url)
            #expect(try await again.has("token"))
            await again.close()
        }
    }

    @Test func `by many at once is made once`() async throws {
        try await TestSchema.with { schema in
            let stores = try await all(8) { _ in try PostgresStore.open(schema.url) }
            try await stores[0].add("token")
            for store in stores {
                #expect(try await store.has("token"))
                await store.close()
            }
        }
    }

    @Test func `refuses the tables of a newer version that needs to be known`() async throws {
        try await TestSchema.withStore { _, schema in
            let step = "INSERT INTO migrations (name, requires) VALUES ('9999 tomorrow', '9998 today')"
            try PostgresStore.run(step, at: schema.url)
            for migrating in Migrating.allCases {
                #expect(throws: StoreError.newerSchema) {
                    try PostgresStore.open(schema.url, migrating: migrating)
                }
            }
        }
    }

    @Test func `leaves the tables of an older version alone until it is told to change them`() async throws {
        let next = Migration("0002 more", "CREATE TABLE more (id TEXT)")
        let migrations = PostgresMigrations(steps: Schema.migrations + [next])
        try await TestSchema.withStore { _, schema in
            let connection = try PostgresConnection(to: DatabaseAddress(schema.url), as: .migrator)
            #expect(try migrations.compare(on: connection) == .older)
            let failure = #expect(throws: PostgresStoreOpeningError.self) {
                try migrations.apply(.whenEmpty, on: connection)
            }
            #expect(failure?.code == .olderSchema)
            #expect(failure?.description.contains("countersign admin migrate") == true)
            #expect(try PostgresStore.run("SELECT to_regclass('more')", at: schema.url) == nil)

            try migrations.apply(.always, on: connection)
            #expect(try PostgresStore.run("SELECT to_regclass('more')", at: schema.url) == "more")
            #expect(try migrations.compare(on: connection) == .current)
            try migrations.apply(.whenEmpty, on: connection)
        }
    }

    @Test func `says in words that nobody answers, or not to us`() async throws {
        let user = try #require(shared.split(separator: ":").first.map { "\($0)" })
        let cases: [(String, PostgresStoreOpeningError.Code)] = [
            ("postgres://countersign:s3cret@127.0.0.1:1/countersign", .unreachable),
            (shared.replacing("@", with: "WRONG@"), .notAllowed),
            (shared.replacing(/\/[^\/]*$/, with: "/no-such-database"), .noDatabase),
            ("\(shared)?options=-csearch_path%3Dno_such_schema", .unusable),
        ]
        #expect(user == "postgres")
        for (url, code) in cases {
            let failure = #expect(throws: PostgresStoreOpeningError.self, "\(code)") {
                try PostgresStore.open(url)
            }
            #expect(failure?.code == code, "\(failure?.reason ?? "")")
            #expect(failure?.description.contains("s3cret") == false)
        }
    }

    @Test func `commits durably, whatever the database's own setting`() async throws {
        try await TestSchema.with { schema in
            let cases = [("off", "on"), ("local", "on"), ("on", "on"), ("remote_apply", "remote_apply")]
            for (setting, expected) in cases {
                let url = schema.url + "%20-csynchronous_commit%3D\(setting)"
                let writer = try PostgresConnection(to: DatabaseAddress(url), as: .writer)
                #expect(try writer.run("SHOW synchronous_commit")[0].text(0) == expected)
            }
        }
    }

    @Test func `bounds how long a statement, a lock and a silent node may hold others up`() async throws {
        let address = try DatabaseAddress(shared)
        for role in [ConnectionRole.reader, .writer] {
            let connection = try PostgresConnection(to: address, as: role)
            for setting in ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"] {
                #expect(try connection.run("SHOW \(setting)")[0].text(0)?.hasSuffix("s") == true, "\(setting)")
            }
        }
    }

    @Test func `refuses whoever asks after it was closed`() async throws {
        try await TestSchema.withStore { store, _ in
            await store.close()
            await #expect(throws: StoreClosedError.self) { try await store.add("token") }
            await #expect(throws: StoreClosedError.self) { try await store.has("token") }
        }
    }
}
#endif
