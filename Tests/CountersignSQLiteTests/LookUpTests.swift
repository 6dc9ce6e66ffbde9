import Countersign
import CountersignServer
import Foundation
import Testing

@testable import CountersignSQLite

@Suite("A look-up at once")
struct LookUpTests {
    private struct Interrupted: Error {}

    private let directory = TemporaryDirectory()

    @Test func `finds every change that was answered before`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        for number in 0..<50 {
            try await store.add("tv \(number)")
            #expect(try store.lookUp { try $0.clients.find(ClientID("tv \(number)")) } != nil)
        }
        #expect(try store.lookUp { try $0.clients.find(ClientID("other"))?.id } == .some(nil))
        try await store.close()
    }

    @Test func `goes on beside a change and slow reads, from all threads`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.add("tv")
        let gate = DispatchSemaphore(value: 0)
        let slow = (0..<GatheredReads.readers).map { _ in
            Task {
                try await store.read { repositories in
                    gate.wait()
                    return try repositories.clients.all().count
                }
            }
        }
        let change = Task {
            try await store.change { repositories in
                gate.wait()
                try repositories.clients.insert(.named("radio"))
            }
        }
        let found = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask { try store.lookUp { try $0.clients.find(ClientID("tv")) != nil } == true }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(found == 200)
        for _ in 0...slow.count { gate.signal() }
        for read in slow { _ = try await read.value }
        try await change.value
        try await store.close()
    }

    /// More at a time than there are connections; some are in use when the store is closed.
    @Test func `of many threads is answered, or refused because the store was closed`() async throws {
        for _ in 0..<5 {
            let store = try SQLiteStore.open(in: directory.url)
            if try store.lookUp({ try $0.clients.find(ClientID("tv")) }) == .some(nil) { try await store.add("tv") }
            let answered = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        var answered = 0
                        do {
                            for _ in 0..<200 where try store.lookUp({ try $0.clients.find(ClientID("tv")) }) != nil {
                                answered += 1
                            }
                        } catch is StoreClosed {}
                        return answered
                    }
                }
                group.addTask {
                    try await store.close()
                    return 0
                }
                return try await group.reduce(0, +)
            }
            #expect(answered <= 3_200)
            #expect(throws: StoreClosed()) { try store.lookUp { try $0.clients.all().count } }
        }
    }

    @Test func `that fails leaves the connection usable, and a closed store says so`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        try await store.add("tv")
        for _ in 0..<20 {
            #expect(throws: Interrupted.self) { try store.lookUp { _ in throw Interrupted() } as Void? }
            #expect(try store.lookUp { try $0.clients.all().count } == 1)
        }
        try await store.close()
        #expect(throws: StoreClosed()) { try store.lookUp { try $0.clients.all().count } }
    }
}
