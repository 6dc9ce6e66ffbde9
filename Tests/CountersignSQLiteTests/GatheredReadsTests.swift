import Countersign
import CountersignServer
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import CountersignSQL
@testable import CountersignSQLite

@Suite("Gathered reads")
struct GatheredReadsTests {
    private struct Interrupted: Error {}

    private let directory = TemporaryDirectory()

    @Test func `fail alone`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.add("tv")
        let found = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<90 {
                group.addTask {
                    try? await store.read { repositories in
                        if number % 3 == 0 { throw Interrupted() }
                        return try repositories.clients.all().count
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found.count { $0 == nil } == 30)
        #expect(found.count { $0 == 1 } == 60)
        try await store.close()
    }

    @Test func `do not wait for a slow one`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.add("tv")
        let began = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        async let slow = store.read { repositories in
            began.signal()
            gate.wait()
            return try repositories.clients.all().count
        }
        await wait(for: began)
        for _ in 0..<100 { #expect(try await store.names() == ["tv"]) }
        gate.signal()
        #expect(try await slow == 1)
        try await store.close()
    }

    @Test func `do not wait for the writer`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let began = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        async let change: Void = store.change { repositories in
            try repositories.clients.insert(.named("tv"))
            began.signal()
            gate.wait()
        }
        await wait(for: began)
        #expect(try await store.names() == [])
        gate.signal()
        try await change
        #expect(try await store.names() == ["tv"])
        try await store.close()
    }

    @Test func `see what was committed before they were asked, however long a reader was busy`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let reads = SQLiteGatheredReads(pool: store.pool)
        let began = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        let seen = NIOLockedValueBox<[String]>([])
        for _ in 0..<SQLiteGatheredReads.readers {
            reads.add(
                .looking { repositories in
                    _ = try? repositories.clients.all()
                    began.signal()
                    gate.wait()
                }
            )
        }
        for _ in 0..<SQLiteGatheredReads.readers { await wait(for: began) }

        // Every reader now has a snapshot without this client, and the next look-up has to wait for one of them.
        try await store.add("tv")
        reads.add(
            .looking { repositories in
                let found = try? repositories.clients.all().map(\.id.rawValue)
                seen.withLockedValue { $0 = found ?? [] }
            }
        )
        for _ in 0..<SQLiteGatheredReads.readers { gate.signal() }
        await reads.close()

        #expect(seen.withLockedValue { $0 } == ["tv"])
        try await store.close()
    }

    @Test func `are refused when too many wait`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let reads = SQLiteGatheredReads(pool: store.pool)
        let began = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        for _ in 0..<SQLiteGatheredReads.readers {
            reads.add(
                .looking { _ in
                    began.signal()
                    gate.wait()
                }
            )
        }
        for _ in 0..<SQLiteGatheredReads.readers { await wait(for: began) }
        let (answered, refused) = (NIOLockedValueBox(0), NIOLockedValueBox<[StoreUnavailableError?]>([]))
        let read = SQLiteGatheredReads.Read(
            asked: .now,
            prefetched: [],
            attempt: { _, _ in { answered.withLockedValue { $0 += 1 } } },
            refuse: { error in refused.withLockedValue { $0.append(error as? StoreUnavailableError) } }
        )
        for _ in 0..<StoreQueue.capacity + 2 { reads.add(read) }
        #expect(refused.withLockedValue { $0 } == [StoreQueue.full, StoreQueue.full])
        for _ in 0..<SQLiteGatheredReads.readers { gate.signal() }
        await reads.close()

        #expect(answered.withLockedValue { $0 } == StoreQueue.capacity)
        try await store.close()
    }

    /// Waits on a thread that may be blocked.
    private func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { caller in
            DispatchQueue.global().async {
                semaphore.wait()
                caller.resume()
            }
        }
    }
}

extension SQLiteGatheredReads.Read {
    /// A look-up that ignores its answer.
    fileprivate static func looking(_ body: @escaping @Sendable (any Repositories) -> Void) -> Self {
        Self(
            asked: .now,
            prefetched: [],
            attempt: { connection, _ in
                body(SQLRepositories(reading: connection))
                return {}
            },
            refuse: { _ in }
        )
    }
}
