import CountersignSQLite
import CountersignServer
import Foundation
import GRDB
import Testing

@Suite("A copy of a SQLite database")
struct BackupTests {
    private let directory = TemporaryDirectory()
    private var copy: URL { directory.url.appendingPathComponent("copy.sqlite") }

    @Test func `is made while the store is open, and holds what was committed last`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.add("tv")
        try SQLiteStore.backUp(directory.url, to: copy)
        try await store.close()

        #expect(try directory.mode(of: "copy.sqlite") == 0o600)
        let names = try await DatabaseQueue(path: copy.path).read { database in
            try String.fetchAll(database, sql: "SELECT id FROM clients")
        }
        #expect(names == ["tv"])
    }

    @Test func `leaves the database of an older version as it was, and is like it`() async throws {
        try await SQLiteStore.open(in: directory.url).close()
        try await DatabaseQueue(path: directory.database.path).write { database in
            for table in ["audit_ends", "audit", "counts"] { try database.execute(sql: "DROP TABLE \(table)") }
            try database.execute(sql: "DELETE FROM grdb_migrations")
        }
        let before = try content(of: directory.database)
        try SQLiteStore.backUp(directory.url, to: copy)
        #expect(try content(of: directory.database) == before)
        #expect(try content(of: copy) == before)
        #expect(try SQLiteInspection.of(directory.url)?.tables == .older)
    }

    @Test func `is made of a newer version's database too`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.pool.write { writer in
            try writer.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('9999 from the future')")
        }
        try await store.close()
        try SQLiteStore.backUp(directory.url, to: copy)
        #expect(try content(of: copy) == content(of: directory.database))
    }

    @Test func `is not made where there is nothing to copy, or something in its place`() async throws {
        let nothing = #expect(throws: BackupError.self) { try SQLiteStore.backUp(directory.url, to: copy) }
        #expect(nothing?.code == .nothingToCopy)
        #expect(!FileManager.default.fileExists(atPath: directory.url.path))

        try await SQLiteStore.open(in: directory.url).close()
        try Data("mine".utf8).write(to: copy)
        let taken = #expect(throws: BackupError.self) { try SQLiteStore.backUp(directory.url, to: copy) }
        #expect(taken?.code == .isThereAlready)
        #expect(try Data(contentsOf: copy) == Data("mine".utf8))
    }

    @Test func `is not made of what is no database`() throws {
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        try Data(String(repeating: "no database at all", count: 100).utf8).write(to: directory.database)

        let failure = #expect(throws: SQLiteStoreOpeningError.self) { try SQLiteStore.backUp(directory.url, to: copy) }
        #expect(failure?.code == .notADatabase)
        #expect(!FileManager.default.fileExists(atPath: copy.path))
    }

    /// The schema of the database, and the migrations that were applied to it.
    private func content(of file: URL) throws -> [String] {
        try DatabaseQueue(path: file.path).read { database in
            try String.fetchAll(database, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY sql")
                + String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
        }
    }
}
