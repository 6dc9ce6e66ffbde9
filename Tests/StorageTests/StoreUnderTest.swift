import CountersignSQLite
import CountersignServer
import Foundation

/// The stores that must pass this suite.
enum StoreUnderTest: String, CaseIterable, Sendable {
    case sqlite

    /// Runs `body` with a new, empty store, and throws the store away afterwards.
    func run(_ body: (any Store) async throws -> Void) async throws {
        switch self {
        case .sqlite:
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
    }
}
