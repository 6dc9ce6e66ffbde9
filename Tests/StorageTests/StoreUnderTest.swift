import CountersignSQLite
import CountersignServer
import Foundation
import PostgresUnderTest
import Testing

/// The stores that must pass this suite.
///
/// PostgreSQL is one of them where there is a server to try: the environment names it by
/// `COUNTERSIGN_TEST_POSTGRES=postgres://…`, as `make test` does.
enum StoreUnderTest: String, CaseIterable, Sendable {
    case sqlite
    /// SQLite in memory, as tests of whole homes have it.
    case memory
    case postgres

    static var allCases: [StoreUnderTest] {
        PostgresCases.areRun ? [.sqlite, .memory, .postgres] : [.sqlite, .memory]
    }

    /// Runs `body` with a new, empty store, and throws the store away afterwards.
    func run(_ body: (any Store) async throws -> Void) async throws {
        switch self {
        case .sqlite:
            PostgresCases.noteNotRun(of: Test.current?.name)
            try await runOnSQLite(body)
        case .memory: try await body(try SQLiteMemoryStore())
        case .postgres: try await runOnPostgres(body)
        }
    }

    private func runOnSQLite(_ body: (any Store) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-storage-\(UUID().uuidString)")
        let store = try SQLiteStore.open(in: directory)
        do {
            try await body(store)
        } catch {
            try? await store.close()
            try? FileManager.default.removeItem(at: directory)
            throw error
        }
        try await store.close()
        try FileManager.default.removeItem(at: directory)
    }

    #if PostgreSQL
    private func runOnPostgres(_ body: (any Store) async throws -> Void) async throws {
        try await TestSchema.withStore { store, _ in try await body(store) }
    }
    #else
    private func runOnPostgres(_ body: (any Store) async throws -> Void) async throws {}
    #endif
}
