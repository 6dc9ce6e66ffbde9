internal import CountersignSQL
public import CountersignServer
public import Foundation
internal import GRDB

/// What a look at a database finds, without changing anything in it.
public struct SQLiteInspection: Sendable {
    /// How the tables compare with those that this program knows.
    public enum Tables: Sendable, Equatable {
        /// They are those of this version.
        case current
        /// The next start brings them up to date.
        case older
        /// A newer program made them; this one cannot use them.
        case newer
    }

    /// How the tables compare with those of this version.
    public let tables: Tables
    /// What SQLite finds damaged; empty when all is well.
    public let damage: [String]
    /// When the newest of its tokens was issued.
    public let newest: Date?
    /// Its clients and keys, where the tables are current.
    public let clients: [Client]
    /// Its keys, where the tables are current.
    public let keys: [ServerKey]

    /// Looks at the database in `directory`; `nil` when there is none yet.
    ///
    /// - Throws: ``StoreOpeningFailed`` when it cannot be read at all.
    public static func of(_ directory: URL) throws -> SQLiteInspection? {
        let path = directory.appendingPathComponent(SQLiteStore.fileName).path
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { try SQLiteInspection($0) }
        } catch let error as DatabaseError {
            throw StoreOpeningFailed(error, path: path)
        }
    }

    private init(_ database: Database) throws {
        let complaints = try String.fetchAll(database, sql: "PRAGMA quick_check(5)")
        damage = complaints == ["ok"] ? [] : complaints
        tables = try Migrations().compare(database)
        guard tables == .current else {
            (newest, clients, keys) = (nil, [], [])
            return
        }
        let repositories = SQLRepositories(reading: SQLiteConnection(database))
        newest = try Double.fetchOne(database, sql: "SELECT max(issued) FROM access_tokens")
            .map(Date.init(timeIntervalSinceReferenceDate:))
        clients = try repositories.clients.all()
        keys = try repositories.serverKeys.all()
    }
}
