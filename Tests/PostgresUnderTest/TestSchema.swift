#if PostgreSQL
package import CountersignPostgres
import Foundation

/// A schema of its own in a database that tests share, so that they can run side by side.
package struct TestSchema: Sendable {
    /// The database that tests may use: the environment names it by `COUNTERSIGN_TEST_POSTGRES=postgres://…`, as
    /// `make test` does.
    package static let shared = ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_POSTGRES"]

    /// The database, with this schema as the only one that is looked into.
    package let url: String
    private let database: String
    private let name: String

    /// For tests that run one after the other; those that run side by side call ``with(at:_:)``.
    package init(at database: String) throws {
        name = "test_" + UUID().uuidString.lowercased().replacing("-", with: "")
        self.database = database
        url = "\(database)\(database.contains("?") ? "&" : "?")options=-csearch_path%3D\(name)"
        try PostgresStore.run("CREATE SCHEMA \(name)", at: database)
    }

    package func remove() throws {
        try PostgresStore.run("DROP SCHEMA \(name) CASCADE", at: database)
    }

    /// Runs `body` with a new schema, and removes it afterwards. Tests that would use too many connections wait.
    ///
    /// One inside another's `body` might wait for ever.
    package static func with(
        at database: String = shared ?? "",
        _ body: (TestSchema) async throws -> Void
    ) async throws {
        try await SchemaPlaces.shared.take {
            let schema = try TestSchema(at: database)
            do {
                try await body(schema)
            } catch {
                try? schema.remove()
                throw error
            }
            try schema.remove()
        }
    }

    /// Runs `body` with a new store in a schema of its own, and throws both away afterwards.
    package static func withStore(
        at database: String = shared ?? "",
        _ body: (PostgresStore, TestSchema) async throws -> Void
    ) async throws {
        try await with(at: database) { schema in
            let store = try PostgresStore.open(schema.url)
            do {
                try await body(store, schema)
            } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }
}
#endif
