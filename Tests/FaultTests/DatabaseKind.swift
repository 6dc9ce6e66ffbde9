import CountersignSQLite
import CountersignServer
import Foundation
import GRDB
import KeptDatabases
import PostgresUnderTest
import Testing

#if PostgreSQL
import CountersignPostgres
#endif

/// The databases that servers are tried with.
typealias DatabaseKind = KeptDatabase.Engine

extension KeptDatabase.Engine {
    struct Opened: Sendable {
        let store: any Store
        let flags: String
        /// Runs a statement of SQL behind everybody's back.
        let run: @Sendable (String) async throws -> Void
        let close: @Sendable () async throws -> Void
    }

    /// A new, empty database, or one that a release left.
    func open(in directory: URL, restoring kept: KeptDatabase? = nil) async throws -> Opened {
        switch self {
        case .sqlite:
            PostgresCases.noteNotRun(of: Test.current?.name)
            let place = directory.appendingPathComponent("data")
            try kept?.restore(in: place, named: SQLiteStore.fileName)
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
            return try Self.openPostgres(restoring: kept)
        }
    }

    /// The statement after which the database looks as if a newer version had made it.
    var pretence: String {
        switch self {
        case .sqlite: "INSERT INTO grdb_migrations (identifier) VALUES ('9999 future')"
        case .postgres: "INSERT INTO migrations (name, requires) VALUES ('9999 future', '9998 future')"
        }
    }

    #if PostgreSQL
    /// A new schema in the PostgreSQL database at `url`.
    static func openPostgres(
        at url: String = TestSchema.shared ?? "",
        restoring kept: KeptDatabase? = nil
    ) throws -> Opened {
        let schema = try TestSchema(at: url)
        if let kept { try PostgresStore.run(kept.statements(for: .postgres), at: schema.url) }
        let store = try PostgresStore.open(schema.url, migrating: .always)
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
    private static func openPostgres(restoring kept: KeptDatabase?) throws -> Opened { throw CancellationError() }
    #endif
}
