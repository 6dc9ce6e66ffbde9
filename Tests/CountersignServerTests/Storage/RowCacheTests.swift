import Countersign
import Testing

@testable import CountersignServer

@Suite("The row cache")
struct RowCacheTests {
    private typealias Rows = SampleRows

    @Test func `never holds more than twice its capacities`() {
        var cache = RowCache(.init(clients: 4, people: 4, accessTokens: 4, exchanges: 4, changes: 4))
        for number in 0..<100 {
            cache.put(Rows.client("\(number)"), asOf: cache.moment)
            cache.put(Rows.person("\(number)"), asOf: cache.moment)
            cache.put(Rows.token("\(number)"), asOf: cache.moment)
            cache.put(Rows.exchange("\(number)"), asOf: cache.moment)
            #expect(cache.count <= 4 * 8)
        }
        #expect(cache.client("99") != nil)
        #expect(cache.client("0") == nil)
    }

    @Test func `keeps the rows in use`() {
        var cache = RowCache(.init(clients: 4))
        cache.put(Rows.client("busy"), asOf: 0)
        for number in 0..<100 {
            cache.put(Rows.client("\(number)"), asOf: 0)
            #expect(cache.client("busy") != nil)
        }
    }

    @Test func `takes nothing from reads that began before the changes that it knows`() {
        var cache = RowCache(.init(changes: 2))
        for number in 1...10 { cache.invalidate([.person(Subject("\(number)"))]) }
        cache.put(Rows.client("tv"), asOf: 1)
        #expect(cache.client("tv") == nil)
        cache.put(Rows.client("tv"), asOf: cache.moment)
        #expect(cache.client("tv") != nil)
    }

    @Test func `drops a row when it changes, and takes no older one`() {
        var cache = RowCache()
        let before = cache.moment
        cache.put(Rows.client("tv"), asOf: before)
        cache.invalidate([.client(ClientID("another"))])
        #expect(cache.client("tv") != nil)
        cache.invalidate([.client(ClientID("tv"))])
        #expect(cache.client("tv") == nil)
        cache.put(Rows.client("tv"), asOf: before)
        #expect(cache.client("tv") == nil)
        cache.put(Rows.client("tv"), asOf: cache.moment)
        #expect(cache.client("tv") != nil)
    }

    @Test func `drops a token when its grant or client ended, also one that was read later`() {
        var cache = RowCache()
        for change in [StoreChange.tokensOfGrant(Grant.ID("grant")), .tokensOfClient(ClientID("tv"))] {
            let before = cache.moment
            cache.put(Rows.token("token", from: "grant"), asOf: before)
            cache.invalidate([change])
            #expect(cache.token("token") == nil)
            cache.put(Rows.token("token", from: "grant"), asOf: before)
            #expect(cache.token("token") == nil)
            cache.put(Rows.token("token", from: "grant"), asOf: cache.moment)
            #expect(cache.token("token") != nil)
        }
    }

    @Test func `doubts a token when it no longer knows which grants ended`() {
        var cache = RowCache(.init(changes: 2))
        cache.put(Rows.token("token", from: "grant"), asOf: cache.moment)
        cache.invalidate([.tokensOfGrant(Grant.ID("another"))])
        #expect(cache.token("token") != nil)
        for number in 1...10 { cache.invalidate([.tokensOfGrant(Grant.ID("\(number)"))]) }
        #expect(cache.token("token") == nil)
    }

    @Test func `tells which changes were noted after when`() {
        var changes = RecentInvalidations(capacity: 10)
        let (one, other) = (StoreChange.client(ClientID("a")), StoreChange.client(ClientID("b")))
        changes.note(one, at: 5)
        #expect(changes.contains(one, after: 4))
        #expect(!changes.contains(one, after: 5))
        #expect(!changes.contains(other, after: 0))
        changes.noteEverything(at: 7)
        #expect(changes.contains(other, after: 6))
        #expect(!changes.contains(other, after: 7))
    }
}

extension RowCache {
    fileprivate mutating func client(_ name: String) -> Client? { find(ClientID(name)) }

    fileprivate mutating func token(_ name: String) -> AccessTokenRecord? { find(SecretDigest(of: name)) }
}
