#if PostgreSQL
internal import CountersignSQL
internal import CountersignStorage

/// The condition for creating or changing the tables.
public enum Migrating: Sendable, Hashable, CaseIterable {
    /// Only if there are none yet; other nodes may be using existing ones.
    case whenEmpty
    /// Whenever they differ from those of this version.
    case always
}

/// Migrates the tables of a database, and compares them with those of this version.
struct PostgresMigrations {
    /// The steps from an empty database to the current tables, in order.
    var steps = Schema.migrations

    /// Runs the steps that the database has not seen, all of them or none, while no other node writes.
    ///
    /// - Throws: ``StoreError/newerSchema`` when it has an unlisted one, and
    ///   ``PostgresStoreOpeningError/Code/olderSchema`` when there are steps that may not be run.
    func apply(_ migrating: Migrating, on connection: PostgresConnection) throws {
        let seen = try seen(on: connection)
        try refuse(seen, unless: migrating, at: connection.address)
        guard Set(seen) != Set(steps.map(\.name)) else { return }
        try connection.command("BEGIN")
        try connection.command(WriterLock.taking)
        // Another node may have migrated while this one waited for the lock.
        let seenNow = try self.seen(on: connection)
        try refuse(seenNow, unless: migrating, at: connection.address)
        try connection.command(Self.ownTables)
        for step in steps where !seenNow.contains(step.name) {
            try connection.command(step.sql[.postgres])
            try connection.command("INSERT INTO migrations (name) VALUES ('\(step.name)')")
        }
        try connection.command("COMMIT")
    }

    /// Compares the tables with the result of the migrations.
    func compare(on connection: PostgresConnection) throws(PostgresError) -> PostgresInspection.Tables {
        let (seen, known) = (Set(try seen(on: connection)), Set(steps.map(\.name)))
        if seen.isEmpty { return .none }
        if seen == known { return .current }
        return seen.isSubset(of: known) ? .older : .newer
    }

    /// The tables that the steps make.
    var tables: [String] {
        let texts = [Self.ownTables] + steps.map { $0.sql[.postgres] }
        return texts.flatMap { $0.matches(of: /CREATE TABLE (?:IF NOT EXISTS )?(\w+)/).map { String($0.1) } }
    }

    /// The engine's own tables: the steps that were run, and the last commit of each node, so that a node that lost its
    /// connection can find out whether its commit succeeded.
    private static let ownTables = """
        CREATE TABLE IF NOT EXISTS migrations (
            name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            applied TIMESTAMPTZ NOT NULL DEFAULT pg_catalog.now()
        );
        CREATE TABLE IF NOT EXISTS commits (
            node TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            number BIGINT NOT NULL,
            committed TIMESTAMPTZ NOT NULL
        );
        """

    private func refuse(_ seen: [String], unless migrating: Migrating, at address: DatabaseAddress) throws {
        guard Set(seen).isSubset(of: steps.map(\.name)) else { throw StoreError.newerSchema }
        guard let missing = steps.first(where: { !seen.contains($0.name) }), !seen.isEmpty, migrating == .whenEmpty
        else { return }
        throw PostgresStoreOpeningError(
            .olderSchema, database: address.description, reason: "it lacks “\(missing.name)”")
    }

    private func seen(on connection: PostgresConnection) throws(PostgresError) -> [String] {
        // The catalog table is queried directly: the session's cached catalog may be older than the lock.
        let exists = try connection.commandAnswer(
            """
            SELECT 1 FROM pg_catalog.pg_tables
            WHERE schemaname = pg_catalog.current_schema() AND tablename = 'migrations'
            """
        )
        guard exists != nil else { return [] }
        let names = try connection.commandAnswer(
            "SELECT pg_catalog.string_agg(name, E'\\n' ORDER BY name) FROM migrations")
        return names?.split(separator: "\n").map(String.init) ?? []
    }
}
#endif
