import CountersignSQLite
import CountersignServer
import Foundation
import PostgresUnderTest

#if PostgreSQL
import CountersignPostgres
#endif

/// The databases on which servers are tried.
enum StageDatabase: String, CaseIterable, Sendable {
    case sqlite
    case postgres

    /// PostgreSQL is one of them where the environment names a server, as `make test` does.
    static var allCases: [StageDatabase] { postgresURL == nil ? [.sqlite] : [.sqlite, .postgres] }

    struct Opened: Sendable {
        let store: any Store
        let flags: String
        let close: @Sendable () async throws -> Void
    }

    /// A new, empty database.
    func open(in directory: URL) async throws -> Opened {
        switch self {
        case .sqlite:
            let place = directory.appendingPathComponent("data")
            let store = try SQLiteStore.open(in: place)
            return Opened(store: store, flags: "--data \(place.path)", close: store.close)
        case .postgres:
            return try Self.openPostgres()
        }
    }

    #if PostgreSQL
    private static let postgresURL = TestSchema.shared

    private static func openPostgres() throws -> Opened {
        let schema = try TestSchema(at: postgresURL ?? "")
        let store = try PostgresStore.open(schema.url)
        return Opened(
            store: store,
            flags: "--database '\(schema.url)'",
            close: {
                await store.close()
                try schema.remove()
            }
        )
    }
    #else
    private static let postgresURL: String? = nil

    private static func openPostgres() throws -> Opened { throw CancellationError() }
    #endif
}
