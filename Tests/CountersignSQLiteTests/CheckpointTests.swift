import Foundation
import GRDB
import Testing

@testable import CountersignSQLite

@Suite("The log of a SQLite store")
struct CheckpointTests {
    private let directory = TemporaryDirectory()

    @Test func `is copied beside the writer when it is long, what came meanwhile by the writer`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.pool.write { try $0.execute(sql: "CREATE TABLE pages (bytes BLOB)") }
        let checkpoints = Checkpoints(beside: store.pool, longestLog: 100, retryAfter: 10)
        // With the tables that were just made, which are in the log, too.
        try await commit(100, in: store, checkpoints)
        await checkpoints.finishCopying()
        var before = try copied()
        // The writer copies what came meanwhile, if it is short.
        try await commit(8, in: store, checkpoints)
        #expect(try copied() >= before + 8)
        before = try copied()
        try await commit(60, in: store, checkpoints)
        await checkpoints.finishCopying()
        #expect(try copied() == before)
        try await commit(60, in: store, checkpoints)
        await checkpoints.finishCopying()
        #expect(try copied() >= before + 120)
        try await commit(1, in: store, checkpoints)

        // A reader needs the database as it is, so that what is committed now is not copied.
        before = try copied()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: directory.database.path, configuration: configuration)
        try await reader.writeWithoutTransaction { reader in
            try reader.execute(sql: "BEGIN")
            _ = try Int.fetchOne(reader, sql: "SELECT count(*) FROM pages")
        }
        try await commit(110, in: store, checkpoints)
        await checkpoints.finishCopying()
        try await commit(1, in: store, checkpoints)
        #expect(try copied() == before)
        try await reader.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try await commit(3, in: store, checkpoints)
        #expect(try copied() == before)
        try await commit(10, in: store, checkpoints)
        await checkpoints.finishCopying()
        #expect(try copied() >= before + 124)
        try reader.close()
        await checkpoints.close()
        try await store.close()
    }

    @Test func `begins anew beside a writer that never rests`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.pool.write { try $0.execute(sql: "CREATE TABLE pages (bytes BLOB)") }
        // The writer may copy what three commits wrote.
        let checkpoints = Checkpoints(beside: store.pool, longestLog: 400, retryAfter: 10)
        for number in 0..<400 {
            try await commit(8, in: store, checkpoints)
            // Sometimes the copy is still being made when the next commit comes.
            if number % 3 == 0 { await checkpoints.finishCopying() }
        }
        let log = try FileManager.default.attributesOfItem(atPath: directory.database.path + "-wal")
        #expect((log[.size] as? Int ?? 0) / 4096 < 1_600, "of 3,200 pages that were written")
        await checkpoints.close()
        try await store.close()
    }

    @Test func `is copied although look-ups keep their snapshots`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.pool.write { try $0.execute(sql: "CREATE TABLE pages (bytes BLOB)") }
        let lookUps = LookUpConnections(beside: store.pool, most: 1)
        lookUps.keepSnapshots()
        @Sendable func lookUp() throws -> Int? {
            try lookUps.read(checking: {}, { try Int.fetchOne($0.database, sql: "SELECT count(*) FROM pages") ?? 0 })
        }
        let checkpoints = Checkpoints(beside: store.pool, longestLog: 100, retryAfter: 10) {
            lookUps.endSnapshots()
            // The next look-up does not wait for the copy.
            _ = try? lookUp()
        }
        for _ in 0..<8 {
            let before = try copied()
            _ = try lookUp()
            try await commit(120, in: store, checkpoints)
            await checkpoints.finishCopying()
            #expect(try copied() >= before + 120)
            _ = try lookUp()
            try await commit(1, in: store, checkpoints)
        }
        let log = try FileManager.default.attributesOfItem(atPath: directory.database.path + "-wal")
        #expect((log[.size] as? Int ?? 0) / 4096 < 600, "of 968 pages that were written")
        await lookUps.close()
        await checkpoints.close()
        try await store.close()
    }

    @Test func `is left as it is after the end`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.pool.write { try $0.execute(sql: "CREATE TABLE pages (bytes BLOB)") }
        let checkpoints = Checkpoints(beside: store.pool, longestLog: 10, retryAfter: 10)
        let before = try copied()
        await checkpoints.close()
        try await commit(60, in: store, checkpoints)
        await checkpoints.close()
        #expect(try copied() == before)
        try await store.close()
        #expect(try copied() >= before + 60, "the store copies all when it is closed")
    }

    /// Commits a row of so many pages, and tells the checkpoints of it.
    private func commit(_ pages: Int, in store: SQLiteStore, _ checkpoints: Checkpoints) async throws {
        try await store.pool.writeWithoutTransaction { writer in
            try writer.execute(sql: "INSERT INTO pages VALUES (zeroblob(?))", arguments: [pages * 4096])
            checkpoints.committed(on: writer)
        }
    }

    /// The count of pages in the database file.
    private func copied() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.database.path)
        return (attributes[.size] as? Int ?? 0) / 4096
    }
}
