import CountersignSQLite
import CountersignServer
import Foundation
import GRDB
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
        /// Runs a statement of SQL behind everybody's back.
        let run: @Sendable (String) async throws -> Void
        let close: @Sendable () async throws -> Void
    }

    /// A new, empty database.
    func open(in directory: URL) async throws -> Opened {
        switch self {
        case .sqlite:
            let place = directory.appendingPathComponent("data")
            let store = try SQLiteStore.open(in: place)
            return Opened(
                store: store,
                flags: "--data \(place.path)",
                run: { sql in
                    let file = place.appendingPathComponent(SQLiteStore.fileName).path
                    try await DatabaseQueue(path: file).writeWithoutTransaction { try $0.execute(sql: sql) }
                },
                close: store.close
            )
        case .postgres:
            return try Self.openPostgres(at: Self.postgresURL ?? "")
        }
    }

    /// The statement after which the database looks as if a newer version had made it.
    var pretence: String {
        switch self {
        case .sqlite: "INSERT INTO grdb_migrations (identifier) VALUES ('9999 from the future')"
        case .postgres: "INSERT INTO migrations (name) VALUES ('9999 from the future')"
        }
    }

    #if PostgreSQL
    private static let postgresURL = TestSchema.shared

    /// A new schema in the PostgreSQL database at `url`.
    static func openPostgres(at url: String) throws -> Opened {
        let schema = try TestSchema(at: url)
        let store = try PostgresStore.open(schema.url)
        return Opened(
            store: store,
            flags: "--database '\(schema.url)'",
            run: { try PostgresStore.run($0, at: schema.url) },
            close: {
                await store.close()
                try schema.remove()
            }
        )
    }
    #else
    private static let postgresURL: String? = nil

    private static func openPostgres(at url: String) throws -> Opened { throw CancellationError() }
    #endif
}
