import Countersign
import CountersignSQLite
import CountersignWire
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import CountersignServer

@Suite("A caching store")
struct CachingStoreTests {
    private typealias Rows = SampleRows
    private let base: WatchedStore
    private let store: CachingStore

    init() async throws {
        base = try await WatchedStore.open()
        store = CachingStore(base)
    }

    @Test func `asks the database once for what is looked up again and again`() async throws {
        try await add()
        try await lookUpEverything()
        let before = base.reads
        for _ in 0..<5 { try await lookUpEverything() }
        #expect(base.reads == before)
    }

    @Test func `gives what the database has`() async throws {
        try await add()
        for _ in 0..<2 {
            #expect(try await store.read { try $0.clients.find(ClientID("tv")) } == Rows.client("tv"))
            #expect(try await store.read { try $0.people.find(Subject("anna")) } == Rows.person("anna"))
            let token = try await store.read { try $0.accessTokens.find(SecretDigest(of: "token")) }
            #expect(token == Rows.token("token", from: "grant"))
            #expect(
                try await store.read { try $0.exchanges.find(SecretDigest(of: "code")) } == Rows.exchange("code"))
        }
    }

    @Test func `knows a request that was added here, without looking it up`() async throws {
        try await store.change { try $0.exchanges.insert(Rows.exchange("code")) }
        #expect(try await store.read { try $0.exchanges.find(SecretDigest(of: "code")) } == Rows.exchange("code"))
        #expect(base.reads == 0)
    }

    @Test func `does not cache a request whose change failed`() async throws {
        struct Interruption: Error {}
        try? await store.change { repositories in
            try repositories.exchanges.insert(Rows.exchange("code"))
            throw Interruption()
        }
        #expect(try await store.read { try $0.exchanges.find(SecretDigest(of: "code")) } == nil)
    }

    @Test func `sees every change of groups and declared claims at once, and caches their absence`() async throws {
        let (anna, staff, all) = (Subject("anna"), GroupName("staff"), GroupName("all"))
        let created = Date(timeIntervalSince1970: 1_800_000_000)
        func groups() async throws -> Set<GroupName> { try await store.read { try Groups($0).names(of: anna) } }
        #expect(try await groups() == [])
        #expect(try await store.read { try $0.claimMappings.all() } == [])
        let before = base.reads
        #expect(try await groups() == [])
        #expect(try await store.read { try $0.claimMappings.all() } == [])
        #expect(base.reads == before)
        try await store.change { try $0.groups.insert(Group(name: staff, created: created)) }
        try await store.change { try $0.groups.add(anna, to: staff) }
        #expect(try await groups() == [staff])
        try await store.change { repositories in
            try repositories.groups.insert(Group(name: all, created: created))
            try repositories.groups.update(Group(name: staff, memberOf: [all], created: created))
        }
        #expect(try await groups() == [staff, all])
        let mapping = ClaimMapping(
            claim: ClaimName("roles"), source: .groups([]), form: .list, scope: .groups, created: created)
        try await store.change { try $0.claimMappings.insert(mapping) }
        #expect(try await store.read { try $0.claimMappings.all() } == [mapping])
        // A group of the same name begins without the members of the one before.
        try await store.change { repositories in
            _ = try repositories.groups.remove(staff)
            try repositories.groups.insert(Group(name: staff, created: created))
        }
        #expect(try await groups() == [])
        #expect(try await store.change { try $0.claimMappings.remove(mapping.claim) })
        #expect(try await store.read { try $0.claimMappings.all() } == [])
    }

    @Test func `sees every change at once`() async throws {
        try await add()
        try await lookUpEverything()
        try await store.change { repositories in
            var anna = Rows.person("anna")
            anna.standing = .locked
            try repositories.people.update(anna)
            var exchange = Rows.exchange("code")
            exchange.interval = 10
            try repositories.exchanges.update(exchange)
            _ = try repositories.clients.remove(ClientID("tv"))
            try repositories.accessTokens.remove(SecretDigest(of: "token"))
        }
        #expect(try await store.read { try $0.people.find(Subject("anna")) }?.standing == .locked)
        #expect(try await store.read { try $0.exchanges.find(SecretDigest(of: "code")) }?.interval == 10)
        #expect(try await store.read { try $0.clients.find(ClientID("tv")) } == nil)
        #expect(try await store.read { try $0.accessTokens.find(SecretDigest(of: "token")) } == nil)
    }

    @Test func `sees at once that a client was swept, whose identifier another one gets`() async throws {
        var device = Rows.client("tv")
        device.registration = .device(ClientSoftware(id: "tv", version: "1"), expires: Rows.noon + 60)
        try await store.change { [device] in try $0.clients.insert(device) }
        #expect(try await store.read { try $0.clients.find(ClientID("tv")) } == device)
        #expect(try await store.change { try $0.clients.sweep(before: Rows.noon + 60, limit: 9) } == 0)
        #expect(try await store.change { try $0.clients.sweep(before: Rows.noon + 61, limit: 9) } == 1)
        #expect(try await store.read { try $0.clients.find(ClientID("tv")) } == nil)
        try await store.change { try $0.clients.insert(Rows.client("tv")) }
        #expect(try await store.read { try $0.clients.find(ClientID("tv")) } == Rows.client("tv"))
    }

    @Test func `sees at once that all tokens of a grant ended`() async throws {
        try await add()
        try await lookUpEverything()
        try await store.change { try $0.accessTokens.removeAll(of: Grant.ID("grant")) }
        #expect(try await store.read { try $0.accessTokens.find(SecretDigest(of: "token")) } == nil)
    }

    @Test func `sees at once that all tokens of a client ended`() async throws {
        try await add()
        try await lookUpEverything()
        _ = try await store.change { try $0.accessTokens.removeAll(of: ClientID("tv"), limit: 9) }
        #expect(try await store.read { try $0.accessTokens.find(SecretDigest(of: "token")) } == nil)
    }

    @Test func `does not cache that a row is missing`() async throws {
        #expect(try await store.read { try $0.clients.find(ClientID("tv")) } == nil)
        try await base.base.change { try $0.clients.insert(Rows.client("tv")) }
        #expect(try await store.read { try $0.clients.find(ClientID("tv")) } != nil)
    }

    @Test func `keeps no row that changed while it was on its way`() async throws {
        try await add()
        base.afterNextRead { [base] in base.notify(.person(Subject("anna"))) }
        _ = try await store.read { try $0.people.find(Subject("anna")) }
        let before = base.reads
        _ = try await store.read { try $0.people.find(Subject("anna")) }
        #expect(base.reads == before + 1)
        _ = try await store.read { try $0.people.find(Subject("anna")) }
        #expect(base.reads == before + 1)
    }

    @Test(arguments: [
        StoreChange.tokensOfGrant(Grant.ID("grant")), .tokensOfClient(ClientID("tv")), .anything,
        .accessToken(SecretDigest(of: "token")),
    ])
    func `keeps no token that ended while it was on its way`(change: StoreChange) async throws {
        try await add()
        base.afterNextRead { [base] in base.notify(change) }
        _ = try await store.read { try $0.accessTokens.find(SecretDigest(of: "token")) }
        let before = base.reads
        _ = try await store.read { try $0.accessTokens.find(SecretDigest(of: "token")) }
        #expect(base.reads == before + 1)
    }

    @Test func `finds a domain by its name and by its present credential only`() async throws {
        var domain = Rows.domain("sp.example.com", credential: "old")
        let (name, old, new) = (domain.name, domain.credential, SecretDigest(of: "new"))
        try await store.change { [domain] in try $0.domains.insert(domain) }
        for _ in 0..<2 { #expect(try await store.read { try $0.domains.find(old) } == domain) }
        #expect(base.reads == 1)
        #expect(try await store.read { try $0.domains.find(name) } == domain)
        #expect(base.reads == 1)

        domain.credential = new
        try await store.change { [domain] in try $0.domains.update(domain) }
        #expect(try await store.read { try $0.domains.find(old) } == nil)
        #expect(try await store.read { try $0.domains.find(name) } == domain)
        #expect(try await store.read { try $0.domains.find(new) } == domain)
        #expect(try await store.read { try $0.domains.find(old) } == nil)
        let before = base.reads
        for _ in 0..<2 { #expect(try await store.read { try $0.domains.find(new) } == domain) }
        #expect(base.reads == before)
    }

    @Test func `asks the database for everything while notifications are lost`() async throws {
        try await add()
        try await lookUpEverything()
        base.notify(.notificationsLost)
        let before = base.reads
        for _ in 0..<3 { _ = try await store.read { try $0.clients.find(ClientID("tv")) } }
        #expect(base.reads == before + 3)
        base.notify(.anything)
        for _ in 0..<3 { _ = try await store.read { try $0.clients.find(ClientID("tv")) } }
        #expect(base.reads == before + 4)
    }

    @Test func `takes no answer from a look-up that hides its misses`() async throws {
        try await add()
        let found = try await store.read { (try? $0.signIns.find(Grant.ID("grant"))) == nil }
        #expect(found)
        #expect(base.reads == 1)
    }

    /// A request and the tokens of its grant belong together, so none of them is taken from the cache beside the other.
    @Test func `asks the database for all but cached clients and people, when it asks at all`() async throws {
        try await add()
        var rows = RowCache()
        rows.put(Rows.person("anna"), asOf: 0)
        rows.put(Rows.client("tv"), asOf: 0)
        rows.put(Rows.token("token", from: "grant"), asOf: 0)
        rows.put(Rows.exchange("code"), asOf: 0)
        let cache = NIOLockedValueBox(rows)
        let asked = try await base.read { repositories in
            var asked: [String] = []
            let access = CacheAccess(reading: repositories, besides: cache)
            _ = try access.find(Subject("anna")) { _ -> Person? in
                asked.append("person")
                return nil
            }
            _ = try access.find(ClientID("tv")) { _ -> Client? in
                asked.append("client")
                return nil
            }
            _ = try access.find(SecretDigest(of: "token")) { _ -> AccessTokenRecord? in
                asked.append("token")
                return nil
            }
            _ = try access.find(SecretDigest(of: "code")) { _ -> SignInExchangeRecord? in
                asked.append("exchange")
                return nil
            }
            return asked
        }
        #expect(asked == ["token", "exchange"])
    }

    @Test func `passes on what a look-up throws`() async throws {
        struct Interruption: Error {}
        try await add()
        try await lookUpEverything()
        for client in ["tv", "unknown"] {
            await #expect(throws: Interruption.self) {
                try await store.read { repositories in
                    _ = try repositories.clients.find(ClientID(client))
                    throw Interruption()
                }
            }
        }
    }

    @Test func `is notified of the changes of another process`() async throws {
        try await add()
        try await lookUpEverything()
        let other = try SQLiteStore.open(in: base.directory)
        try await other.change { _ = try $0.clients.remove(ClientID("tv")) }
        var found: Client?
        for _ in 0..<4000 {
            found = try await store.read { try $0.clients.find(ClientID("tv")) }
            if found == nil { break }
            try await Task.sleep(for: .milliseconds(25))
        }
        #expect(found == nil)
        try await other.close()
    }

    @Test func `never shows an older state than its own changes left`() async throws {
        try await add()
        for round in 1...50 {
            async let reader: Void = lookUpEverything()
            try await store.change { repositories in
                var exchange = Rows.exchange("code")
                exchange.interval = round
                try repositories.exchanges.update(exchange)
            }
            let seen = try await store.read { try $0.exchanges.find(SecretDigest(of: "code")) }
            #expect(seen?.interval == round)
            try await reader
        }
    }

    private func add() async throws {
        try await base.base.change { repositories in
            try repositories.clients.insert(Rows.client("tv"))
            try repositories.people.insert(Rows.person("anna"))
            try repositories.accessTokens.insert(Rows.token("token", from: "grant"))
            try repositories.exchanges.insert(Rows.exchange("code"))
        }
    }

    private func lookUpEverything() async throws {
        _ = try await store.read { try $0.clients.find(ClientID("tv")) }
        _ = try await store.read { try $0.people.find(Subject("anna")) }
        _ = try await store.read { try $0.accessTokens.find(SecretDigest(of: "token")) }
        _ = try await store.read { try $0.exchanges.find(SecretDigest(of: "code")) }
    }
}
