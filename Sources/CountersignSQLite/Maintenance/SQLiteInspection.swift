internal import CountersignSQL
public import CountersignStorage
public import FoundationEssentialsCompat
internal import GRDB

/// The result of inspecting a database without changing it.
public struct SQLiteInspection: Sendable {
    /// The state of the tables, compared to those of this program.
    public enum Tables: Sendable, Equatable {
        /// They are those of this version.
        case current
        /// The next start migrates them.
        case older
        /// A newer program made them; this one cannot use them.
        case newer
    }

    /// The state of the tables, compared to those of this version.
    public let tables: Tables
    /// The damage that SQLite reports; empty for an intact database.
    public let damage: [String]
    /// The time when the newest of its tokens was issued.
    public let newest: Date?
    /// Its clients, if the tables are current.
    public let clients: [Client]
    /// Its keys, if the tables are current.
    public let keys: [ServerKey]
    /// Its groups of people, if the tables are current.
    public let groups: [Group]

    /// Inspects the database in `directory`; `nil` when there is none yet.
    ///
    /// - Parameter directory: The data directory of a server, which may be running.
    /// - Throws: ``SQLiteStoreOpeningError`` when it cannot be read at all.
    public static func of(_ directory: URL) throws -> SQLiteInspection? {
        let path = directory.appendingPathComponent(SQLiteStore.fileName).path
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let queue = try DatabaseQueue(path: path, configuration: SQLiteStore.onlyReading())
            defer { try? queue.close() }
            return try queue.read { try SQLiteInspection($0) }
        } catch let error as DatabaseError {
            throw SQLiteStoreOpeningError(error, path: path)
        }
    }

    private init(_ database: Database) throws {
        let complaints = try String.fetchAll(database, sql: "PRAGMA quick_check(5)")
        damage = complaints == ["ok"] ? [] : complaints
        tables = try SQLiteMigrations().compare(database)
        guard tables == .current else {
            (newest, clients, keys, groups) = (nil, [], [], [])
            return
        }
        let repositories = SQLRepositories(reading: SQLiteConnection(database))
        newest = try Double.fetchOne(database, sql: "SELECT max(issued) FROM access_tokens")
            .map(Date.init(timeIntervalSinceReferenceDate:))
        clients = try repositories.clients.all()
        keys = try repositories.serverKeys.all()
        groups = try repositories.groups.all()
    }
}
