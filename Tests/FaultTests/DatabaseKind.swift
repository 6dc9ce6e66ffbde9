import CountersignSQLite
import CountersignServer
import Foundation
import GRDB
import PostgresUnderTest
import Testing

#if PostgreSQL
import CountersignPostgres
#endif

/// The databases that servers are tried with.
enum DatabaseKind: String, CaseIterable, Sendable {
    case sqlite
    case postgres

    /// PostgreSQL is one of them where the environment names a server, as `make test` does.
    static var allCases: [DatabaseKind] { PostgresCases.areRun ? [.sqlite, .postgres] : [.sqlite] }

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
            PostgresCases.noteNotRun(of: Test.current?.name)
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
            return try Self.openPostgres()
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
    /// A new schema in the PostgreSQL database at `url`.
    static func openPostgres(at url: String = TestSchema.shared ?? "") throws -> Opened {
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
    private static func openPostgres() throws -> Opened { throw CancellationError() }
    #endif
}
