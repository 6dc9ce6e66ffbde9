import Countersign
import CountersignTesting
import Testing

@testable import CountersignRequester

@Suite("The changes of a token store")
struct TokenStoreChangesTests {
    let place = StoreDirectory()

    @Test func `are told to everybody who watches it`() async throws {
        let store = place.store()
        var first = store.changes.makeAsyncIterator()
        var second = store.changes.makeAsyncIterator()
        try await store.save(.item("one"), for: .example)
        try await store.save(.item("one"), for: .service)
        try await store.remove(.example)
        for expected in [TokenStoreKey.example, .service, .example] {
            #expect(await first.next() == expected)
            #expect(await second.next() == expected)
        }
    }

    @Test func `are not told where nothing changed`() async throws {
        let store = place.store()
        try await store.save(.item("one"), for: .example)
        var changes = store.changes.makeAsyncIterator()
        try await store.save(.item("one"), for: .example)
        try await store.remove(.service)
        _ = try await store.load(.example)
        try await store.save(.item("two"), for: .service)
        #expect(await changes.next() == .service)
    }

    @Test func `by another process are told when this one reads the next time`() async throws {
        let store = place.store()
        try await store.save(.item("one"), for: .example)
        var changes = store.changes.makeAsyncIterator()
        try await place.store().save(.item("two"), for: .service)
        _ = try await store.load(.example)
        #expect(await changes.next() == .service)
        try await place.store().remove(.example)
        _ = try await store.keys()
        #expect(await changes.next() == .example)
    }

    @Test func `of another group are told to nobody`() async throws {
        let store = place.store()
        var changes = store.changes.makeAsyncIterator()
        try await place.store(TokenGroup("tv")).save(.item("one"), for: .service)
        _ = try await store.keys()
        try await store.save(.item("one"), for: .example)
        #expect(await changes.next() == .example)
    }

    @Test func `end with the store`() async throws {
        var store: SealedFileTokenStore? = place.store()
        let changes = try #require(store?.changes)
        store = nil
        for await key in changes { Issue.record("\(key)") }
    }

    @Test func `are told by a store in memory, too`() async throws {
        let store = MemoryTokenStore()
        var changes = store.changes.makeAsyncIterator()
        await store.save(.item("one"), for: .example)
        #expect(await changes.next() == .example)
        await store.remove(.example)
        #expect(await changes.next() == .example)
    }
}

@Suite("The key of what is kept")
struct TokenStoreKeyTests {
    @Test func `is told from every other`() {
        let keys = [
            TokenStoreKey(.signIn, "a", "b"), TokenStoreKey(.signIn, "ab"), TokenStoreKey(.signIn, "a b"),
            TokenStoreKey(.signIn, "a", "b", ""), TokenStoreKey(.signIn, "", "ab"), TokenStoreKey(.signIn),
            TokenStoreKey(.crossPlatformToken, "a", "b"), TokenStoreKey(.signIn, "1:a1:b"),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map(\.unambiguous)).count == keys.count)
    }

    @Test func `shows its names and no secret`() {
        #expect(TokenStoreKey.service.description == "cross-platform-token https://cpa.example.com sp.example.com:8002")
        #expect("\(SealingKey(revealing: Array(repeating: 65, count: 32)) as Any)".contains("redacted"))
        #expect(SealingKey(revealing: [1, 2, 3]) == nil)
    }
}

@Suite("A file for the key of a store")
struct KeyFileTests {
    let place = StoreDirectory()

    @Test func `keeps the key of whoever came first`() throws {
        let file = KeyFile(at: place.path("keys/store"))
        #expect(try file.find() == nil)
        let first = try #require(SealingKey(revealing: Array(1...32)))
        let second = try #require(SealingKey(revealing: Array(33...64)))
        #expect(try file.keep(first) == first)
        #expect(try file.keep(second) == first)
        #expect(try KeyFile(at: place.path("keys/store")).find() == first)
        #expect(try place.mode(of: "keys/store") == 0o600)
    }

    @Test func `may stand elsewhere than what it seals`() async throws {
        let key = KeyFile(at: place.path("elsewhere/key"))
        try await place.store(sealedBy: key).save(.item("one"), for: .example)
        #expect(try place.files == ["default.sealed", "elsewhere"])
        #expect(try await place.store(sealedBy: key).load(.example) == .item("one"))
        await #expect(throws: TokenStoreError(.keyMissing, because: "")) { try await place.store().load(.example) }
    }
}
