#if PostgreSQL
internal import CountersignSQL
internal import CountersignStorage
internal import FoundationEssentialsCompat

/// The condition for creating or changing the tables.
public enum Migrating: Sendable, Hashable, CaseIterable {
    /// Only if there are none yet; other nodes may be using existing ones.
    case whenEmpty
    /// Whenever they lack something of this version.
    case always
}

/// Migrates the tables of a database, and compares them with those of this version.
struct PostgresMigrations {
    /// The steps from an empty database to the current tables, in order.
    var steps = Schema.migrations

    /// Runs the steps that the database has not seen, all of them or none, while no other node writes.
    ///
    /// - Throws: ``StoreError/newerSchema`` when a newer program removed something from the tables that this one uses,
    ///   and ``PostgresStoreOpeningError/Code/olderSchema`` when there are steps that may not be run.
    func apply(_ migrating: Migrating, on connection: PostgresConnection) throws {
        let seen = try seen(on: connection)
        try refuse(seen, unless: migrating, at: connection.address)
        guard missing(in: seen) != nil else { return }
        try connection.command("BEGIN")
        try connection.command(WriterLock.taking)
        // Another node may have migrated while this one waited for the lock.
        let seenNow = try self.seen(on: connection)
        try refuse(seenNow, unless: migrating, at: connection.address)
        try connection.command(Self.ownTables)
        for step in steps where !seenNow.contains(where: { $0.name == step.name }) {
            try connection.command(step.sql[.postgres])
            let requires = step.required.map { "'\($0)'" } ?? "NULL"
            try connection.command("INSERT INTO migrations (name, requires) VALUES ('\(step.name)', \(requires))")
        }
        try connection.command("COMMIT")
    }

    /// Compares the tables with the result of the migrations.
    func compare(on connection: PostgresConnection) throws -> PostgresInspection.Tables {
        let seen = try seen(on: connection)
        if seen.isEmpty { return .none }
        if seen.contains(where: isBeyond) { return .newer }
        if missing(in: seen) != nil { return .older }
        return seen.count > steps.count ? .expanded : .current
    }

    /// The tables that the steps make.
    var tables: [String] {
        let texts = [Self.ownTables] + steps.map { $0.sql[.postgres] }
        return texts.flatMap { $0.matches(of: /CREATE TABLE (?:IF NOT EXISTS )?(\w+)/).map { String($0.1) } }
    }

    /// The engine's own tables: the steps that were run, each with the one that a program has to know at least to work
    /// with the tables after it; and the last commit of each node, so that a node that lost its connection can find out
    /// whether its commit succeeded.
    private static let ownTables = """
        CREATE TABLE IF NOT EXISTS migrations (
            name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            applied TIMESTAMPTZ NOT NULL DEFAULT pg_catalog.now(),
            requires TEXT COLLATE "C"
        );
        CREATE TABLE IF NOT EXISTS commits (
            node TEXT COLLATE "C" NOT NULL PRIMARY KEY,
            number BIGINT NOT NULL,
            committed TIMESTAMPTZ NOT NULL
        );
        """

    /// A step that the database lists.
    private struct SeenStep: Decodable {
        let name: String
        let requires: String?
    }

    private func refuse(_ seen: [SeenStep], unless migrating: Migrating, at address: DatabaseAddress) throws {
        guard !seen.contains(where: isBeyond) else { throw StoreError.newerSchema }
        guard let missing = missing(in: seen), !seen.isEmpty, migrating == .whenEmpty else { return }
        throw PostgresStoreOpeningError(
            .olderSchema, database: address.description, reason: "it lacks “\(missing.name)”")
    }

    /// The first step that the database has not seen.
    private func missing(in seen: [SeenStep]) -> Migration? {
        steps.first { step in !seen.contains { $0.name == step.name } }
    }

    /// Whether a newer program's step removed something that this one may use.
    private func isBeyond(_ seen: SeenStep) -> Bool {
        guard let required = seen.requires, !isKnown(seen.name) else { return false }
        return !isKnown(required)
    }

    private func isKnown(_ name: String) -> Bool { steps.contains { $0.name == name } }

    private func seen(on connection: PostgresConnection) throws -> [SeenStep] {
        // The catalog table is queried directly: the session's cached catalog may be older than the lock.
        let exists = try connection.commandAnswer(
            """
            SELECT 1 FROM pg_catalog.pg_tables
            WHERE schemaname = pg_catalog.current_schema() AND tablename = 'migrations'
            """
        )
        guard exists != nil else { return [] }
        let steps = try connection.commandAnswer(
            """
            SELECT pg_catalog.json_agg(pg_catalog.json_build_object('name', name, 'requires', requires)) FROM migrations
            """
        )
        return try steps.map { try JSONDecoder().decode([SeenStep].self, from: Data($0.utf8)) } ?? []
    }
}
#endif
