import Countersign
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

    @Test(arguments: [StoreNews.serverKeys, .anything, .lineLost])
    func `is read again when a key may have changed`(news: StoreNews) async throws {
        _ = try await ring.current()
        let before = store.reads
        store.tell(news)
        _ = try await ring.current()
        #expect(store.reads == before + 1)
    }

    @Test func `keeps no keys that changed while they were on their way`() async throws {
        ring.forget()
        store.afterNextRead { [store] in store.tell(.serverKeys) }
        _ = try await ring.current()
        let before = store.reads
        _ = try await ring.current()
        #expect(store.reads == before + 1)
    }

    @Test func `publishes the same bytes until a key has gone`() async throws {
        let keys = try await ring.current()
        let now = ServerClock.system.now()
        #expect(try keys.publishedBytes(at: now) == keys.publishedBytes(at: now + 60))
    }
}
