internal import Configuration
internal import CoreMetrics
internal import CountersignSQLite
internal import CountersignServer
internal import FoundationEssentialsCompat

#if PostgreSQL
internal import CountersignPostgres
#endif

/// The reaction of opening a store when there is no embedded database yet.
enum MissingDatabase: Sendable {
    case make, refuse
}

/// The store that the settings name, open until it is closed.
struct StoreHandle: Sendable {
    let store: any Store
    /// The directory of the new database, if one was created.
    var made: String?
    let close: @Sendable () async throws -> Void
}

extension StoreOptions {
    /// Opens the store that the settings name.
    ///
    /// The embedded database always gets the tables of this version. A shared one does when it is empty, or when
    /// `isMigrating` says so: other nodes may still need the tables as they are.
    func open(
        by settings: ConfigReader,
        whenMissing missing: MissingDatabase = .refuse,
        isMigrating: Bool = false,
        measuring factory: any MetricsFactory = NOOPMetricsHandler.instance
    ) throws -> StoreHandle {
        do {
            if let url = settings.string(forKey: "database") { return try Self.shared(at: url, isMigrating, factory) }
            let place = DataLocation(settings)
            let isNew = !place.isTaken
            if missing == .refuse { try place.requireDatabase() }
            try place.rights.requireSafety()
            let store = try SQLiteStore.open(in: place.directory, measuring: factory)
            return StoreHandle(store: store, made: isNew ? place.path : nil, close: store.close)
        } catch let error as SQLiteStoreOpeningError {
            throw CommandError(error.description)
        } catch StoreError.newerSchema {
            throw CommandError("A newer version of Countersign made the database. Use that version or a newer one.")
        }
    }

    /// The directory of the embedded database; `nil` when the settings name a shared one.
    ///
    /// - Throws: a ``CommandError`` when there is none.
    func embeddedDirectory(by settings: ConfigReader) throws -> URL? {
        guard settings.string(forKey: "database") == nil else { return nil }
        let place = DataLocation(settings)
        try place.requireDatabase()
        try place.rights.requireSafety()
        return place.directory
    }

    private static func shared(
        at url: String,
        _ isMigrating: Bool,
        _ factory: any MetricsFactory
    ) throws -> StoreHandle {
        try requirePostgreSQL(for: url)
        #if PostgreSQL
        do {
            let store = try PostgresStore.open(url, migrating: isMigrating ? .always : .whenEmpty, measuring: factory)
            return StoreHandle(store: store, close: store.close)
        } catch let error as PostgresStoreOpeningError {
            throw CommandError(error.description)
        }
        #else
        throw withoutPostgreSQL
        #endif
    }

    /// Makes sure that `url` is one of PostgreSQL's, and that this build can use it.
    static func requirePostgreSQL(for url: String) throws {
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            throw CommandError.usage(
                "--database takes a postgres:// URL; for the embedded database use --data DIRECTORY.")
        }
        #if !PostgreSQL
        throw withoutPostgreSQL
        #endif
    }

    #if !PostgreSQL
    private static var withoutPostgreSQL: CommandError {
        CommandError("This build has no PostgreSQL; build it with the package trait PostgreSQL")
    }
    #endif
}
