import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("A ring of keys")
struct KeyRingTests {
    private let store: WatchedStore
    private let ring: KeyRing

    init() async throws {
        store = try await WatchedStore.open()
        ring = KeyRing(store: store, mint: CodeMint(drawingFrom: .system), clock: .system)
        _ = try await ring.current(signing: .es256)
    }

    @Test func `is read once while the store can tell what changes`() async throws {
        _ = try await ring.current()
        let before = store.reads
        for _ in 0..<10 { _ = try await ring.current() }
        #expect(store.reads == before)
    }

    @Test(arguments: [StoreChange.serverKeys, .anything, .notificationsLost])
    func `is read again when a key may have changed`(change: StoreChange) async throws {
        _ = try await ring.current()
        let before = store.reads
        store.notify(change)
        _ = try await ring.current()
        #expect(store.reads == before + 1)
    }

    @Test func `keeps no keys that changed while they were on their way`() async throws {
        ring.forget()
        store.afterNextRead { [store] in store.notify(.serverKeys) }
        _ = try await ring.current()
        let before = store.reads
        _ = try await ring.current()
        #expect(store.reads == before + 1)
    }

    @Test func `publishes the same bytes until a key has gone`() async throws {
        let keys = try await ring.current()
        let now = TimeSource.system.now()
        #expect(try keys.publishedBytes(at: now) == keys.publishedBytes(at: now + 60))
    }

    @Test func `makes a missing key once, however many want it, and writes down each`() async throws {
        let ring = ring
        let made = try await withThrowingTaskGroup(of: [JSONWebKey.ID?].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await ring.current(signing: .rs256).published(at: .distantFuture).keys.map(\.keyID)
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(made.count == 1 && made.first?.count == 2)
        let (keys, entries) = try await store.read {
            (try $0.serverKeys.all(), try $0.audit.entries(after: 0, limit: 9))
        }
        #expect(Set(keys.map(\.purpose)) == ServerKey.Purpose.made && keys.count == 5)
        #expect(entries.allSatisfy { $0.facts.act == .keyAdded && $0.facts.by == .server })
        #expect(entries.compactMap(\.facts.detail).sorted() == keys.map(\.id.rawValue).sorted())
    }
}
