import Countersign
import CountersignSQLite
import CountersignServer
import Foundation

/// A directory of a test's own, removed when the test ends.
final class TemporaryDirectory: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-sqlite-\(UUID().uuidString)")

    /// The database file of a store in this directory.
    var database: URL { url.appendingPathComponent(SQLiteStore.fileName) }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The permission bits of a file in it, or of the directory itself.
    func mode(of file: String? = nil) throws -> Int? {
        let path = file.map { url.appendingPathComponent($0).path } ?? url.path
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}

let noon = Date(timeIntervalSinceReferenceDate: 821_620_800)

extension Client {
    /// A client; only its identifier matters.
    static func named(_ name: String) -> Client {
        Client(
            id: ClientID(name),
            name: name,
            kind: .public,
            grantTypes: [],
            scope: .none,
            tokenFormat: .opaque,
            created: noon
        )
    }
}

extension Store {
    /// Adds a client of this name.
    func add(_ name: String) async throws {
        try await change { try $0.clients.insert(.named(name)) }
    }

    /// The identifiers of all clients.
    func names() async throws -> [String] {
        try await read { try $0.clients.all().map(\.id.rawValue) }
    }
}
