import Countersign
import CountersignSQL
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
        let slow = (0..<SQLiteGatheredReads.readers).map { _ in
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
                        } catch is StoreClosedError {}
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
            #expect(throws: StoreClosedError()) { try store.lookUp { try $0.clients.all().count } }
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
        #expect(throws: StoreClosedError()) { try store.lookUp { try $0.clients.all().count } }
    }

    /// Two stores on one file, as a server and an admin command have them.
    @Test func `finds what another process committed, although its snapshot is kept`() async throws {
        let (server, admin) = (try SQLiteStore.open(in: directory.url), try SQLiteStore.open(in: directory.url))
        server.observe { _ in }
        for number in 0..<50 {
            #expect(try server.lookUp { try $0.clients.find(ClientID("tv \(number)"))?.id } == .some(nil))
            try await (number % 2 == 0 ? admin : server).add("tv \(number)")
            #expect(try server.lookUp { try $0.clients.find(ClientID("tv \(number)")) } != nil)
        }
        // A look-up that fails, and one that reads nothing, keep nothing that hides the next change.
        #expect(throws: Interrupted.self) { try server.lookUp { _ in throw Interrupted() } as Void? }
        #expect(try server.lookUp { _ in true } == true)
        _ = try await admin.change { try $0.clients.remove(ClientID("tv 0")) }
        #expect(try server.lookUp { try $0.clients.find(ClientID("tv 0"))?.id } == .some(nil))
        try await admin.close()
        try await server.close()
    }

    @Test func `keeps its snapshot until somebody commits`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let lookUps = LookUpConnections(beside: store.pool, most: 1)
        var begun = 0
        func lookUp() throws -> Int? {
            try lookUps.read(checking: { begun += 1 }, { try SQLRepositories(reading: $0).clients.all().count })
        }
        for _ in 0..<3 { #expect(try lookUp() == 0) }
        #expect(begun == 3, "nothing is kept where nobody ends it")
        lookUps.keepSnapshots()
        for _ in 0..<3 { #expect(try lookUp() == 0) }
        #expect(begun == 4)
        try await store.add("tv")
        for _ in 0..<3 { #expect(try lookUp() == 1) }
        #expect(begun == 5)
        lookUps.endSnapshots()
        #expect(try lookUp() == 1)
        #expect(begun == 6)
        await lookUps.close()
        try await store.close()
    }

    @Test func `sees every change while others look up, and snapshots are ended`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        for round in 0..<5 {
            let lookUps = LookUpConnections(beside: store.pool, most: 3)
            lookUps.keepSnapshots()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        for number in 0..<20 {
                            let id = "\(round) \(worker) \(number)"
                            try await store.add(id)
                            let found = try lookUps.read(checking: {}) {
                                try SQLRepositories(reading: $0).clients.find(ClientID(id)) != nil
                            }
                            // Without an answer all connections are in use.
                            #expect(found != false)
                        }
                    }
                }
                group.addTask { for _ in 0..<200 { lookUps.endSnapshots() } }
                try await group.waitForAll()
                group.addTask { for _ in 0..<20 { lookUps.endSnapshots() } }
                group.addTask { await lookUps.close() }
                try await group.waitForAll()
            }
            #expect(try lookUps.read(checking: {}, { _ in true }) == nil)
        }
        try await store.close()
    }

    @Test func `ends when the file was taken away, soon after`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        store.observe { _ in }
        #expect(try store.lookUp { try $0.clients.all().count } == 0)
        let aside = directory.database.appendingPathExtension("aside")
        try FileManager.default.moveItem(at: directory.database, to: aside)
        await #expect(throws: StoreUnavailableError.self) {
            while true {
                _ = try store.lookUp { try $0.clients.all().count }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        try await store.close()
    }
}
