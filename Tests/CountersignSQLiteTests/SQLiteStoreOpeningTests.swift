import CountersignSQLite
import CountersignServer
import Foundation
import GRDB
import Testing

@Suite("A SQLite store, when it is opened,")
struct SQLiteStoreOpeningTests {
    private let directory = TemporaryDirectory()

    @Test func `keeps a write-ahead log and waits for the disk at every commit`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let (journal, synchronous) = try await store.pool.writeWithoutTransaction { writer in
            (
                try String.fetchOne(writer, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(writer, sql: "PRAGMA synchronous")
            )
        }
        #expect(journal == "wal")
        #expect(synchronous == 2, "2 is FULL")
        try await store.close()
    }

    @Test func `lets only its owner in`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.add("tv")

        #expect(try directory.mode() == 0o700)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try directory.mode(of: SQLiteStore.fileName + suffix) == 0o600)
        }
        try await store.close()
    }

    @Test func `closes a file that others could read`() async throws {
        try await SQLiteStore.open(in: directory.url).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: directory.database.path)

        try await SQLiteStore.open(in: directory.url).close()
        #expect(try directory.mode(of: SQLiteStore.fileName) == 0o600)
    }

    @Test func `finds what was there when it was closed`() async throws {
        let before = try SQLiteStore.open(in: directory.url)
        try await before.add("tv")
        try await before.close()

        let after = try SQLiteStore.open(in: directory.url)
        #expect(try await after.names() == ["tv"])
        try await after.close()
    }

    @Test func `can be opened many times at once, even the first time`() async throws {
        let url = directory.url
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    let store = try SQLiteStore.open(in: url)
                    try await store.add("\(number)")
                    try await store.close()
                }
            }
            try await group.waitForAll()
        }
        let store = try SQLiteStore.open(in: url)
        #expect(try await store.names() == (0..<8).map(String.init))
        try await store.close()
    }

    @Test func `refuses what a newer version made, and leaves it alone`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.pool.write { writer in
            try writer.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('9999 from the future')")
        }
        try await store.close()

        #expect(throws: StoreError.newerSchema) { try SQLiteStore.open(in: directory.url) }
    }

    @Test(arguments: ["no database at all, but long enough to be one", "SQLite format 3\u{0} and then nothing"])
    func `refuses a damaged file`(content: String) throws {
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        try Data(String(repeating: content, count: 100).utf8).write(to: directory.database)

        let failure = #expect(throws: SQLiteStoreOpeningError.self) { try SQLiteStore.open(in: directory.url) }
        #expect(failure?.code == .notADatabase)
        #expect(failure?.description.contains("Restore it from a backup") == true)
    }

    @Test func `refuses a read-only file`() async throws {
        try await SQLiteStore.open(in: directory.url).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: directory.database.path)

        let failure = #expect(throws: SQLiteStoreOpeningError.self) { try SQLiteStore.open(in: directory.url) }
        #expect(failure?.code == .notWritable)
    }

    @Test(arguments: [true, false])
    func `works no longer in a file that was taken away, and goes on when it is back`(isReplaced: Bool) async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.add("kept")
        let aside = directory.database.appendingPathExtension("aside")
        try FileManager.default.moveItem(at: directory.database, to: aside)
        if isReplaced { try Data("another".utf8).write(to: directory.database) }
        let unavailable = await #expect(throws: StoreUnavailableError.self) { try await store.add("lost") }
        #expect(unavailable?.code == .notDone)
        await #expect(throws: StoreUnavailableError.self) { try await store.names() }
        if isReplaced { try FileManager.default.removeItem(at: directory.database) }
        try FileManager.default.moveItem(at: aside, to: directory.database)
        try await store.add("more")
        #expect(try await store.names() == ["kept", "more"])
        try await store.close()
    }

    @Test func `leaves everything in one file when it is closed`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        for number in 0..<100 { try await store.add("\(number)") }
        try await store.close()
        let copy = TemporaryDirectory()
        try FileManager.default.createDirectory(at: copy.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: directory.database, to: copy.database)
        let again = try SQLiteStore.open(in: copy.url)
        #expect(try await again.names().count == 100)
        try await again.close()
    }

    @Test func `refuses a directory that is a file`() throws {
        try Data().write(to: directory.url)

        let failure = #expect(throws: SQLiteStoreOpeningError.self) { try SQLiteStore.open(in: directory.url) }
        #expect(failure?.code == .noDirectory)
    }

    @Test func `refuses a directory inside a file`() throws {
        try Data().write(to: directory.url)

        let failure = #expect(throws: SQLiteStoreOpeningError.self) {
            try SQLiteStore.open(in: directory.url.appendingPathComponent("data"))
        }
        #expect(failure?.code == .noDirectory)
    }

    @Test func `refuses a database that is a directory`() throws {
        try FileManager.default.createDirectory(at: directory.database, withIntermediateDirectories: true)

        let failure = #expect(throws: SQLiteStoreOpeningError.self) { try SQLiteStore.open(in: directory.url) }
        #expect(failure?.code == .notADatabase)
    }
}
