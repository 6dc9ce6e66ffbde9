import Countersign
import CountersignPostgres
import CountersignSQLite
import CountersignServer
import Foundation
import Testing

/// The examples in the documentation of the stores, word for word: `Scripts/check-examples.py` compares them.
@Suite("The stores' examples")
struct StoreExamples {
    @Test func `read and change`() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("examples-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try SQLiteStore.open(in: directory)

        #expect(try await Self.look(into: store, for: Subject("nobody")) == nil)
        try await store.close()
    }

    private static func look(into store: some Store, for subject: Subject) async throws -> Client? {
        let client = try await store.read { try $0.clients.find(ClientID("tv")) }
        let removed = try await store.change { try $0.people.remove(subject) }
        #expect(!removed)
        return client
    }

    // The rest is compiled only: it needs a machine that is set up.

    static func open() async throws -> Client? {
        let store = try SQLiteStore.open(in: URL(fileURLWithPath: "/var/lib/countersign"))
        let client = try await store.read { try $0.clients.find(ClientID("tv")) }
        try await store.close()
        return client
    }

    #if PostgreSQL
    static func openShared() async throws -> Client? {
        let store = try PostgresStore.open("postgres://countersign@db.example.com/countersign")
        let client = try await store.read { try $0.clients.find(ClientID("tv")) }
        await store.close()
        return client
    }

    static func openAlone() throws -> PostgresStore {
        let store = try PostgresStore.open("postgres://countersign@db.example.com/countersign")
        return store
    }
    #endif
}
