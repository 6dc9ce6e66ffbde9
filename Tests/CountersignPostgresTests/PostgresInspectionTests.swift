#if PostgreSQL
import Countersign
import CountersignPostgres
import CountersignServer
import Foundation
import PostgresUnderTest
import Testing

@Suite("A look at a shared database", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct PostgresInspectionTests {
    private let shared = TestSchema.shared ?? ""

    @Test func `finds no tables where there are none, and makes none`() async throws {
        try await TestSchema.with { schema in
            for _ in 0..<2 {
                let inspection = try PostgresInspection.of(schema.url)
                #expect(inspection.tables == .none)
                #expect(inspection.writeProblem == nil)
            }
        }
    }

    @Test func `finds the clients and keys in tables of today`() async throws {
        try await TestSchema.withStore { store, schema in
            try await store.change { try $0.clients.insert(client) }
            let inspection = try PostgresInspection.of(schema.url)
            #expect(inspection.tables == .current)
            #expect(inspection.clients.map(\.id) == [client.id])
            #expect(inspection.keys.isEmpty)
            #expect(inspection.writeProblem == nil)
        }
    }

    @Test func `tells tables of today from newer ones`() async throws {
        try await TestSchema.withStore { _, schema in
            #expect(try PostgresInspection.of(schema.url).tables == .current)
            try PostgresStore.run("INSERT INTO migrations (name) VALUES ('9998 tomorrow')", at: schema.url)
            #expect(try PostgresInspection.of(schema.url).tables == .expanded)
            let step = "INSERT INTO migrations (name, requires) VALUES ('9999 thereafter', '9998 tomorrow')"
            try PostgresStore.run(step, at: schema.url)
            #expect(try PostgresInspection.of(schema.url).tables == .newer)
        }
    }

    @Test func `says which rights a role lacks`() async throws {
        try await TestSchema.with { schema in
            let role = "role_" + UUID().uuidString.lowercased().replacing("-", with: "")
            let name = try #require(try PostgresStore.run("SELECT current_schema()", at: schema.url))
            let url = schema.url.replacing(/\/\/[^@]*@/, with: "//\(role):pass@")
            try PostgresStore.run("CREATE ROLE \(role) LOGIN PASSWORD 'pass'", at: shared)
            try PostgresStore.run("GRANT USAGE ON SCHEMA \(name) TO \(role)", at: shared)
            #expect(try PostgresInspection.of(url).writeProblem == .mayNotMakeTables(schema: name, role: role))

            try await PostgresStore.open(schema.url).close()
            try PostgresStore.run("GRANT ALL ON ALL TABLES IN SCHEMA \(name) TO \(role)", at: shared)
            #expect(try PostgresInspection.of(url).writeProblem == nil)
            try PostgresStore.run("REVOKE INSERT ON \(name).audit, \(name).people FROM \(role)", at: shared)
            let problem = try PostgresInspection.of(url).writeProblem
            #expect(problem == .mayNotWrite(tables: ["audit", "people"], role: role))
            try PostgresStore.run("DROP OWNED BY \(role); DROP ROLE \(role)", at: shared)
        }
    }

    @Test func `says that nobody answers, or not to us, or that there is no such database`() {
        let cases: [(String, PostgresStoreOpeningError.Code)] = [
            ("postgres://countersign:s3cret@127.0.0.1:1/countersign", .unreachable),
            (shared.replacing("@", with: "WRONG@"), .notAllowed),
            (shared.replacing(/\/[^\/]*$/, with: "/no-such-database"), .noDatabase),
            ("postgres://countersign:s3/cret@127.0.0.1/countersign", .badURL),
        ]
        for (url, code) in cases {
            let failure = #expect(throws: PostgresStoreOpeningError.self, "\(code)") { try PostgresInspection.of(url) }
            #expect(failure?.code == code, "\(failure?.reason ?? "")")
            for secret in ["s3", "WRONG"] { #expect(failure?.description.contains(secret) == false) }
        }
    }

    @Test func `says by which settings answered changes may be lost`() async throws {
        try await PrivateCluster.run { cluster in
            for isOn in [true, false] {
                let value = isOn ? "on" : "off"
                for setting in ["fsync", "synchronous_commit"] {
                    try PostgresStore.run("ALTER SYSTEM SET \(setting) = \(value)", at: cluster.url)
                }
                try await cluster.stop()
                try await cluster.resume()
                let inspection = try PostgresInspection.of(cluster.url)
                #expect(inspection.waitsForDisk == isOn)
                #expect(inspection.commitsWaitByDefault == isOn)
            }
        }
    }

    @Test func `says why a server takes no changes`() async throws {
        try await PrivateCluster.run { cluster in
            let name = "SELECT current_database()"
            let database = try #require(try PostgresStore.run(name, at: cluster.url))
            try await PostgresStore.open(cluster.url).close()
            try PostgresStore.run("ALTER DATABASE \(database) SET default_transaction_read_only = on", at: cluster.url)
            #expect(try PostgresInspection.of(cluster.url).writeProblem == .isReadOnly)
            try await cluster.stop()
            try await cluster.resumeAsStandby()
            let inspection = try PostgresInspection.of(cluster.url)
            #expect(inspection.writeProblem == .isStandby)
            #expect(inspection.tables == .current)
        }
    }
}

private let client = Client(
    id: ClientID("tv"),
    name: "TV",
    kind: .public,
    grantTypes: [],
    scope: .none,
    tokenFormat: .opaque,
    created: noon
)
#endif
