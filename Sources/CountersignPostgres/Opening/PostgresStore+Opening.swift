#if PostgreSQL
public import CoreMetrics
internal import Countersign
internal import CountersignStorage
internal import FoundationEssentialsCompat

extension PostgresStore {
    /// Opens the database at a URL, as libpq reads it, and migrates its tables as far as `migrating` allows.
    ///
    /// ```swift
    /// let store = try PostgresStore.open("postgres://countersign@db.example.com/countersign")
    /// ```
    ///
    /// Any number of nodes may have the same database open. This blocks its thread on the network, so call it during
    /// start-up.
    ///
    /// - Parameters:
    ///   - url: Standard: PostgreSQL 15, §34.1.1.2. Its query may have other parameters of libpq.
    ///   - readers: The number of lookups that run at the same time, each on a separate connection; 8 by default, and
    ///     at least one. There are two more connections: for changes and for notifications.
    ///   - migrating: The condition for creating or changing the tables; by default only if there are none yet.
    ///   - factory: The destination of the store's metrics; the metrics system of the process by default.
    /// - Returns: The open store.
    /// - Throws: ``StoreError/newerSchema`` when a newer version of this program removed what this one uses, otherwise
    ///   ``PostgresStoreOpeningError``, also for an engine whose locks, notifications or transactions do not do what
    ///   PostgreSQL's do.
    public static func open(
        _ url: String,
        readers: Int = 8,
        migrating: Migrating = .whenEmpty,
        measuring factory: any MetricsFactory = MetricsSystem.factory
    ) throws -> PostgresStore {
        try open(url, readers: readers, migrating: migrating, measuring: factory, timeouts: Timeouts())
    }

    static func open(
        _ url: String,
        readers: Int = 8,
        migrating: Migrating = .whenEmpty,
        measuring factory: any MetricsFactory = MetricsSystem.factory,
        timeouts: Timeouts
    ) throws -> PostgresStore {
        let address = try DatabaseAddress(url)
        do {
            let connection = try PostgresConnection(to: address, as: .migrator)
            try connection.refuseWhatCannotHoldOurTables()
            try EngineProof().prove(on: connection, and: try PostgresConnection(to: address, as: .listener))
            try PostgresMigrations().apply(migrating, on: connection)
            try connection.command("DELETE FROM commits WHERE committed < pg_catalog.now() - interval '1 day'")
        } catch let error as PostgresError {
            throw PostgresStoreOpeningError(error, at: address)
        }
        return PostgresStore(
            address: address,
            node: UUID().uuidString,
            readers: max(1, readers),
            timeouts: timeouts,
            clock: .system,
            metrics: StoreMetrics(factory)
        )
    }
}

extension PostgresConnection {
    func refuseWhatCannotHoldOurTables() throws {
        let version = Int(try commandAnswer("SHOW server_version_num") ?? "") ?? 0
        let encoding = try commandAnswer("SHOW server_encoding") ?? ""
        let schema = try commandAnswer("SELECT pg_catalog.current_schema()")
        let reason: String
        if version < 120_000 {
            reason = "its version is older than PostgreSQL 12"
        } else if encoding != "UTF8" {
            reason = "its encoding is \(encoding); create it with ENCODING 'UTF8'"
        } else if schema == nil {
            reason = "no schema of its search_path exists"
        } else {
            return
        }
        throw PostgresStoreOpeningError(.unusable, database: address.description, reason: reason)
    }
}

extension PostgresStoreOpeningError {
    /// Maps an error of the database to the reason why it could not be opened.
    init(_ error: PostgresError, at address: DatabaseAddress) {
        let code: Code =
            switch error {
            case .lost(let reason) where reason.contains(/database ".*" does not exist/): .noDatabase
            case .lost(let reason) where reason.contains("authentication failed") || reason.contains("does not exist"):
                .notAllowed
            case .lost: .unreachable
            case .refused(let state, _) where state.isAboutRights: .notAllowed
            case .refused(let state, _) where state.isPassing: .unreachable
            case .refused: .unusable
            }
        self.init(code, database: address.description, reason: error.description)
    }
}
#endif
