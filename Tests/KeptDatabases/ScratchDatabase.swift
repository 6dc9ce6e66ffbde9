package import CountersignServer
internal import CountersignSQLite
internal import Foundation
internal import GRDB
internal import PostgresUnderTest

#if PostgreSQL
internal import CountersignPostgres
#endif

/// An empty database of one engine, which is removed after the test.
package struct ScratchDatabase: Sendable {
    private enum Place: Sendable {
        case directory(URL)
        /// The URL of a schema in PostgreSQL.
        case schema(String)
    }

    private let place: Place

    /// Runs `body` with a new one, and removes it afterwards.
    package static func with(
        _ engine: KeptDatabase.Engine,
        _ body: (ScratchDatabase) async throws -> Void
    ) async throws {
        switch engine {
        case .sqlite:
            let directory = FileManager.default.temporaryDirectory
                .appendingPathComponent("countersign-kept-\(UUID().uuidString.prefix(8))")
            defer { try? FileManager.default.removeItem(at: directory) }
            try await body(ScratchDatabase(place: .directory(directory)))
        case .postgres:
            #if PostgreSQL
            try await TestSchema.with { try await body(ScratchDatabase(place: .schema($0.url))) }
            #endif
        }
    }

    /// Puts the database of a release in its place.
    package func restore(_ kept: KeptDatabase) throws {
        switch place {
        case .directory(let directory): try kept.restore(in: directory, named: SQLiteStore.fileName)
        case .schema(let url):
            #if PostgreSQL
            try PostgresStore.run(kept.statements(for: .postgres), at: url)
            #endif
        }
    }

    /// Runs `body` with a store over the database, whose tables are migrated.
    package func withStore(_ body: (any Store) async throws -> Void) async throws {
        let (store, close) = try open()
        do {
            try await body(store)
        } catch {
            try? await close()
            throw error
        }
        try await close()
    }

    private func open() throws -> (any Store, @Sendable () async throws -> Void) {
        switch place {
        case .directory(let directory):
            let store = try SQLiteStore.open(in: directory)
            return (store, store.close)
        case .schema(let url):
            #if PostgreSQL
            let store = try PostgresStore.open(url, migrating: .always)
            return (store, store.close)
            #else
            throw CancellationError()
            #endif
        }
    }

    /// The names of the migrations that the database lists.
    package func steps() throws -> Set<String> {
        switch place {
        case .directory(let directory):
            return try read(directory) { try String.fetchSet($0, sql: "SELECT identifier FROM grdb_migrations") }
        case .schema(let url):
            #if PostgreSQL
            let names = try PostgresStore.run("SELECT pg_catalog.json_agg(name) FROM migrations", at: url)
            return try JSONDecoder().decode(Set<String>.self, from: Data((names ?? "[]").utf8))
            #else
            return []
            #endif
        }
    }

    /// The tables as they are.
    package func tables() throws -> TableDescription {
        switch place {
        case .directory(let directory):
            return try read(directory) { try TableDescription($0) }
        case .schema(let url):
            #if PostgreSQL
            return try TableDescription(at: url)
            #else
            throw CancellationError()
            #endif
        }
    }

    private func read<Value>(_ directory: URL, _ body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: directory.appendingPathComponent(SQLiteStore.fileName).path)
        defer { try? queue.close() }
        return try queue.read(body)
    }
}
