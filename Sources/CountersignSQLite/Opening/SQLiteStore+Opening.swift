public import CoreMetrics
internal import Countersign
internal import CountersignStorage
public import Foundation
internal import GRDB
internal import NIOCore

extension SQLiteStore {
    /// The name of the database's file in its directory.
    public static let fileName = "countersign.sqlite"

    /// Opens the database in a directory, makes both when they do not exist yet, and migrates its tables.
    ///
    /// A new directory has mode 0700, the files have 0600. Several processes may have the same database open. This
    /// blocks its thread on the disk, so call it during start-up.
    ///
    /// - Parameters:
    ///   - directory: The directory of the database, whose file is ``fileName``.
    ///   - factory: The destination of the store's metrics; the metrics system of the process by default.
    /// - Returns: The open store.
    /// - Throws: ``StoreError/newerSchema`` when a newer version of this program made the database, otherwise
    ///   ``SQLiteStoreOpeningError``.
    public static func open(
        in directory: URL,
        measuring factory: any MetricsFactory = MetricsSystem.factory
    ) throws -> SQLiteStore {
        let directory = try DataDirectory(at: directory)
        do {
            return try directory.locked {
                try directory.prepareFile()
                let pool = try DatabasePool(path: directory.databasePath, configuration: configuration())
                try SQLiteMigrations().apply(to: pool)
                try pool.writeWithoutTransaction { writer in
                    // Set last, because the pool sets NORMAL, which loses answered changes when the power fails.
                    try writer.execute(sql: "PRAGMA synchronous = FULL")
                    // `Checkpoints` copies the log before it is that long.
                    try writer.execute(sql: "PRAGMA wal_autocheckpoint = \(Checkpoints.lastResort)")
                    // It touches pages all over the indexes, and writes each repeatedly.
                    try writer.execute(sql: "PRAGMA cache_size = -32000")
                }
                return SQLiteStore(pool: pool, clock: .system, metrics: StoreMetrics(factory))
            }
        } catch let error as DatabaseError {
            throw SQLiteStoreOpeningError(error, path: directory.databasePath)
        }
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.label = "countersign"
        configuration.foreignKeysEnabled = false
        // One more, for immediate lookups that find all of their connections in use.
        configuration.maximumReaderCount = SQLiteGatheredReads.readers + 1
        configuration.busyMode = .callback { attempt in
            Thread.sleep(forTimeInterval: WriterPacing.retryDelay / .seconds(1))
            return attempt < WriterPacing.attempts
        }
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA trusted_schema = OFF;
                    PRAGMA temp_store = MEMORY;
                    PRAGMA cache_size = -8000;
                    PRAGMA fullfsync = ON;
                    PRAGMA checkpoint_fullfsync = ON;
                    PRAGMA wal_autocheckpoint = \(Checkpoints.longestLog);
                    PRAGMA journal_size_limit = 67108864;
                    """
            )
        }
        return configuration
    }
}

extension SQLiteStoreOpeningError {
    /// Maps an error of the database to the reason why it could not be opened.
    init(_ error: DatabaseError, path: String) {
        let code: Code =
            switch error.resultCode {
            case .SQLITE_NOTADB, .SQLITE_CORRUPT: .notADatabase
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH: .notWritable
            case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
            default: .unusable
            }
        self.init(code, path: path, reason: error.words)
    }
}
