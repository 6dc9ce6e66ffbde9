import Countersign
import CountersignServer
import Foundation
import GRDB
import NIOConcurrencyHelpers
import Testing

@testable import CountersignSQL
@testable import CountersignSQLite

@Suite("Group commit")
struct GroupCommitTests {
    private struct Interrupted: Error {}

    private let directory = TemporaryDirectory()

    @Test func `answers when another connection can see the change`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        for number in 0..<20 {
            try await store.add("\(number)")
            let fresh = try DatabaseQueue(path: directory.database.path)
            let count = try await fresh.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM clients") }
            #expect(count == number + 1)
            try fresh.close()
        }
        try await store.close()
    }

    @Test func `answers when the change is in the files`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let crashed = TemporaryDirectory()
        try FileManager.default.createDirectory(at: crashed.url, withIntermediateDirectories: true)
        try await store.add("tv")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: directory.database.path + suffix,
                toPath: crashed.database.path + suffix
            )
        }
        let recovered = try SQLiteStore.open(in: crashed.url)
        #expect(try await recovered.names() == ["tv"])
        try await recovered.close()
        try await store.close()
    }

    @Test func `tells everybody when the commit fails, those too whose change threw`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        store.pool.add(transactionObserver: RefusingCommit(), extent: .databaseLifetime)

        await #expect(throws: RefusingCommit.Refused.self) { try await store.add("tv") }
        await #expect(throws: RefusingCommit.Refused.self) {
            try await withThrowingTaskGroup { group in
                for number in 0..<50 { group.addTask { try await store.add("\(number)") } }
                try await group.waitForAll()
            }
        }
        let names = try await store.names()
        #expect(names == [])
        try await store.close()
    }

    @Test func `never says yes to a change that went down with its batch`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.pool.write { writer in
            try writer.execute(
                sql: """
                    CREATE TRIGGER full_disk BEFORE INSERT ON clients WHEN new.id LIKE 'boom%'
                    BEGIN SELECT raise(ROLLBACK, 'as if the disk were full'); END
                    """
            )
        }
        for round in 0..<5 {
            let succeeded = await withTaskGroup(of: String?.self) { group in
                for number in 0..<60 {
                    let name = number == 30 ? "boom \(round)" : "\(round) \(number)"
                    group.addTask { (try? await store.add(name)) == nil ? nil : name }
                }
                return await group.reduce(into: Set()) { if let name = $1 { $0.insert(name) } }
            }
            let kept = Set(try await store.names().filter { $0.hasPrefix("\(round) ") })
            #expect(succeeded == kept)
            #expect(!succeeded.contains("boom \(round)"))
        }
        try await store.close()
    }

    @Test func `commits what waits together, in the order in which it came`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let commits = CountingCommits()
        store.pool.add(transactionObserver: commits, extent: .databaseLifetime)
        let changes = SQLiteGroupCommit(
            pool: store.pool, notifying: SQLiteChangeObservers(), copyingLogBy: Checkpoints(beside: store.pool),
            clock: .system)
        let gate = DispatchSemaphore(value: 0)
        store.pool.asyncWriteWithoutTransaction { _ in gate.wait() }
        for number in 0..<SQLiteGroupCommit.largestBatch + 10 {
            changes.add(.inserting(.named("\(10_000 + number)")))
        }
        gate.signal()
        await changes.close()

        let names = try await store.pool.read { try String.fetchAll($0, sql: "SELECT id FROM clients ORDER BY rowid") }
        #expect(names == (0..<SQLiteGroupCommit.largestBatch + 10).map { "\(10_000 + $0)" })
        #expect(commits.count.withLockedValue { $0 } == 2)
        try await store.close()
    }

    @Test func `refuses whoever comes when too many wait, and takes the next when they do not`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let changes = SQLiteGroupCommit(
            pool: store.pool, notifying: SQLiteChangeObservers(), copyingLogBy: Checkpoints(beside: store.pool),
            clock: .system)
        let gate = DispatchSemaphore(value: 0)
        store.pool.asyncWriteWithoutTransaction { _ in gate.wait() }
        let (made, refused) = (NIOLockedValueBox(0), NIOLockedValueBox<[StoreUnavailableError?]>([]))
        let change = SQLiteGroupCommit.Change(
            // None of them has waited for too long, however slow the machine is.
            asked: ContinuousClock.now + .seconds(86_400),
            prefetched: [],
            attempt: { _, _ in
                AttemptedChange(
                    failure: nil,
                    changes: [],
                    committed: { made.withLockedValue { $0 += 1 } },
                    lost: { _ in }
                )
            },
            refuse: { error in refused.withLockedValue { $0.append(error as? StoreUnavailableError) } }
        )
        for _ in 0..<StoreQueue.capacity + 2 { changes.add(change) }
        #expect(refused.withLockedValue { $0 } == [StoreQueue.full, StoreQueue.full])
        gate.signal()
        try await store.add("tv")
        changes.add(change)
        await changes.close()

        #expect(made.withLockedValue { $0 } == StoreQueue.capacity + 1)
        #expect(refused.withLockedValue { $0.count } == 2)
        try await store.close()
    }

    @Test func `takes back a change that throws, and none of its batch`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let changes = SQLiteGroupCommit(
            pool: store.pool, notifying: SQLiteChangeObservers(), copyingLogBy: Checkpoints(beside: store.pool),
            clock: .system)
        let gate = DispatchSemaphore(value: 0)
        store.pool.asyncWriteWithoutTransaction { _ in gate.wait() }
        changes.add(.inserting(.named("before")))
        changes.add(.inserting(.named("failing"), thenThrowing: Interrupted()))
        changes.add(.inserting(.named("after")))
        gate.signal()
        await changes.close()

        #expect(try await store.names() == ["after", "before"])
        try await store.close()
    }

    @Test func `finishes what was asked before it closes, and refuses what is asked later`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let outcomes = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<100 {
                group.addTask {
                    do {
                        try await store.add("\(number)")
                        return "\(number)"
                    } catch is StoreClosedError {
                        return nil
                    }
                }
            }
            group.addTask {
                try await store.close()
                return nil
            }
            return try await group.reduce(into: Set()) { if let name = $1 { $0.insert(name) } }
        }
        await #expect(throws: StoreClosedError()) { try await store.add("late") }
        await #expect(throws: StoreClosedError()) { try await store.names() }

        let reopened = try SQLiteStore.open(in: directory.url)
        #expect(try await Set(reopened.names()) == outcomes)
        try await reopened.close()
    }
}

extension SQLiteGroupCommit.Change {
    /// A change that ignores its answer.
    fileprivate static func inserting(_ client: Client, thenThrowing failure: (any Error)? = nil) -> Self {
        Self(
            asked: ContinuousClock.now,
            prefetched: [],
            attempt: { connection, batch in
                let collector = ChangeCollector(in: batch)
                try? SQLRepositories(changing: connection, noting: collector).clients.insert(client)
                return AttemptedChange(failure: failure, changes: [], committed: {}, lost: { _ in })
            },
            refuse: { _ in }
        )
    }
}

/// Counts the transactions that are committed.
private final class CountingCommits: TransactionObserver, Sendable {
    let count = NIOLockedValueBox(0)

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { count.withLockedValue { $0 += 1 } }
    func databaseDidRollback(_ database: Database) {}
}

/// Lets no transaction be committed.
private final class RefusingCommit: TransactionObserver {
    struct Refused: Error {}

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { throw Refused() }
    func databaseDidCommit(_ database: Database) {}
    func databaseDidRollback(_ database: Database) {}
}
