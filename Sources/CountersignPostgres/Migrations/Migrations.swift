#if PostgreSQL
internal import CountersignServer

/// When the tables are made or changed.
public enum Migrating: Sendable, Hashable, CaseIterable {
    /// Only where there are none yet; other nodes may be running on those that are there.
    case whenEmpty
    /// Whenever they are not those of this version.
    case always
}

/// The steps from an empty database to the tables of today, by name and in order.
///
/// A step that was released is never edited: what must change is a new step at the end.
enum Migrations {
    private static let steps: [(name: String, sql: String)] = [
        ("0001 first tables", FirstTables.sql),
        ("0002 counts and audit", CountsAndAudit.sql),
        ("0003 domains", Domains.sql),
        ("0004 nearby", Nearby.sql),
        ("0005 replaced secrets", ReplacedSecrets.sql),
    ]

    /// Runs the steps that the database has not seen, all of them or none, while nobody else writes.
    ///
    /// - Throws: ``StoreRefusal/newerSchema`` when it has seen one that is not listed here, and
    ///   ``PostgresStoreOpeningFailed/Code/olderSchema`` when there are steps that may not be run.
    static func apply(_ migrating: Migrating, on connection: Connection) throws {
        let seen = try seen(on: connection)
        try refuse(seen, unless: migrating, at: connection.address)
        guard Set(seen) != Set(steps.map(\.name)) else { return }
        try connection.command("BEGIN")
        try connection.command(WriterLock.taking)
        // Somebody else may have been at it while this waited.
        let seenNow = try self.seen(on: connection)
        try refuse(seenNow, unless: migrating, at: connection.address)
        try connection.command(
            """
            CREATE TABLE IF NOT EXISTS migrations (
                name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
                applied TIMESTAMPTZ NOT NULL DEFAULT now()
            )
            """
        )
        for step in steps where !seenNow.contains(step.name) {
            try connection.command(step.sql)
            try connection.command("INSERT INTO migrations (name) VALUES ('\(step.name)')")
        }
        try connection.command("COMMIT")
    }

    /// How the tables compare with those that the steps make.
    static func compare(on connection: Connection) throws(DatabaseTrouble) -> PostgresInspection.Tables {
        let (seen, known) = (Set(try seen(on: connection)), Set(steps.map(\.name)))
        if seen.isEmpty { return .none }
        if seen == known { return .current }
        return seen.isSubset(of: known) ? .older : .newer
    }

    /// The tables that the steps make.
    static var tables: [String] {
        steps.flatMap { $0.sql.matches(of: /CREATE TABLE (\w+)/).map { String($0.1) } }
    }

    private static func refuse(_ seen: [String], unless migrating: Migrating, at address: DatabaseAddress) throws {
        guard Set(seen).isSubset(of: steps.map(\.name)) else { throw StoreRefusal.newerSchema }
        guard let missing = steps.first(where: { !seen.contains($0.name) }), !seen.isEmpty, migrating == .whenEmpty
        else { return }
        throw PostgresStoreOpeningFailed(
            .olderSchema,
            database: address.description,
            reason: "it lacks “\(missing.name)”"
        )
    }

    private static func seen(on connection: Connection) throws(DatabaseTrouble) -> [String] {
        // Asked of the catalog's table: what a session remembers of it may be older than the lock.
        let isThere = try connection.commandAnswer(
            "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'"
        )
        guard isThere != nil else { return [] }
        let names = try connection.commandAnswer("SELECT string_agg(name, E'\\n' ORDER BY name) FROM migrations")
        return names?.split(separator: "\n").map(String.init) ?? []
    }
}
#endif
