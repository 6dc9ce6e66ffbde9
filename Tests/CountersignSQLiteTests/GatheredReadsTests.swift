import CountersignSQLite
import CountersignServer
import Foundation
import Testing

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
