import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A reached limit")
struct ReachedLimitsTests {
    private func reached(at server: TestServer) async throws -> [ReachedLimit] {
        let clock = server.serverClock
        return try await server.store.read { try ReachedLimits($0, clock: clock).all() }
    }

    private func lift(_ rule: LimitRule, of party: LimitedParty, at server: TestServer) async throws -> Bool {
        try await server.limits.lift(rule, of: party)
    }

    /// Counts until the limit is reached.
    private func exhaust(_ keys: [RateLimitKey], times: Int, at server: TestServer) async throws {
        let limiter = StoredRateLimiter(limits: server.settings.limits, clock: server.serverClock)
        try await server.store.change { repositories in
            for _ in 1...times { try limiter.count(keys, in: repositories) }
        }
    }

    @Test(.server { $0.limits[.startPerAddress] = Limit(3, in: 600) })
    func `names the network until its span ends, and is lifted for it at once`() async throws {
        let server = TestServer.current
        let network: RateLimitKey = .address(.startPerAddress, "198.51.100.7")
        try await exhaust([network], times: 2, at: server)
        #expect(try await reached(at: server) == [])
        try await exhaust([network], times: 1, at: server)
        let expected = ReachedLimit(
            rule: .startPerAddress, limit: Limit(3, in: 600), party: .network("198.51.100.7"), times: 3,
            end: server.clock.date + 600)
        #expect(try await reached(at: server) == [expected])
        #expect(try await lift(.startPerAddress, of: .network("198.51.100.7"), at: server))
        #expect(try await reached(at: server) == [])
        #expect(try await !lift(.startPerAddress, of: .network("198.51.100.7"), at: server))
        let audited = try await server.audited(.limitLifted)
        #expect(audited.map(\.by) == [.operator])
        #expect(audited.map(\.detail) == ["start-per-address 198.51.100.7"])

        try await exhaust([network], times: 3, at: server)
        #expect(try await reached(at: server).count == 1)
        server.clock.advance(by: .seconds(600))
        #expect(try await reached(at: server) == [])
    }

    @Test(.server { $0.limits[.passwordPerAccount] = Limit(4, in: 3600) })
    func `names the person whose password is guessed, who may sign in when it is lifted`() async throws {
        let server = TestServer.current
        let anna = TestPerson.anna
        let browser = try await server.newBrowser()
        func logIn(_ password: String) async throws -> HTTPResponse.Status {
            try await browser.post("login", ["username": "anna", "password": password]).status
        }
        for _ in 1...2 {
            #expect(try await logIn("wrong") == .forbidden)
            server.clock.advance(by: .seconds(2))
        }
        let found = try await reached(at: server)
        #expect(found.map(\.rule) == [.passwordPerAccount] && found.map(\.party) == [.person(anna.subject)])
        #expect(try await logIn(anna.password.revealed) == .tooManyRequests)
        #expect(try await lift(.passwordPerAccount, of: .person(anna.subject), at: server))
        #expect(try await reached(at: server) == [])
        #expect(try await logIn(anna.password.revealed) == .seeOther)
    }

    @Test(.server)
    func `is found for every kind of party that the audit names`() async throws {
        let server = TestServer.current
        let (anna, tv) = (TestPerson.anna.subject, ClientID("tv"))
        let keys: [(RateLimitKey, LimitedParty)] = [
            (.client(.startPerClient, tv), .client(tv)), (.subject(.mailPerPerson, anna), .person(anna)),
            (.source(.codePerAccount, tv, anna), .source(tv, anna)),
            (.source(.questionPerSource, tv, anna), .source(tv, anna)),
            (.name("31", .textPerPrefix), .receiver("31")), (.overall(.mailOverall), .everybody),
            (.address(.mailPerAddress, "2001:db8:0:1::7"), .network("2001:db8:0:1::/64")),
        ]
        for (key, party) in keys {
            let most = try #require(server.settings.limits[key.rule]?.most)
            let limiter = StoredRateLimiter(limits: server.settings.limits, clock: server.serverClock)
            try await server.store.change { repositories in
                let limit = try #require(limiter.limits[key])
                _ = try limiter.count(most, to: key, limit, in: repositories)
            }
            #expect(try await reached(at: server).map(\.party) == [party], "\(key.rule)")
            #expect(try await lift(key.rule, of: party, at: server), "\(key.rule)")
            #expect(try await reached(at: server) == [], "\(key.rule)")
        }
    }

    /// The store does not have them in clear.
    @Test(.server)
    func `is lifted for a number and an address, which it does not name`() async throws {
        let server = TestServer.current
        let number: RateLimitKey = .name("+31612345678", .textPerNumber)
        let owner: RateLimitKey = .name("owner +31612345678", .textPerNumber)
        let account: RateLimitKey = .name("account anna@example.com", .mailPerRecipient)
        try await exhaust([number, owner, account], times: 24, at: server)
        #expect(try await reached(at: server) == [])
        #expect(try await lift(.textPerNumber, of: .receiver("+31612345678"), at: server))
        #expect(try await lift(.mailPerRecipient, of: .receiver("anna@example.com"), at: server))
        let details = try await server.audited(.limitLifted).map(\.detail)
        #expect(details == ["text-per-number +31•••••••78", "mail-per-recipient"])
        let keys = [number, owner, account].map(\.countKey)
        #expect(try await server.store.read { repositories in try keys.compactMap(repositories.counts.find) } == [])
    }

    @Test func `counts for a kind of party, by the name of its limit`() {
        for rule in LimitRule.allCases {
            let isRight =
                switch rule.partyKind {
                case .everybody: rule.rawValue.hasSuffix("-overall") || rule == .textOfOwners
                case .network: rule.rawValue.hasSuffix("-per-address")
                case .person: rule.rawValue.hasSuffix("-per-account") || rule == .mailPerPerson
                case .client: rule.rawValue.hasSuffix("-per-client")
                case .source: rule == .questionPerSource
                case .number: rule == .textPerNumber
                case .callingCode: rule == .textPerPrefix
                case .emailAddress: rule == .mailPerRecipient
                case .secret: rule == .takingPerCode || rule == .exchangePerToken
                }
            #expect(isRight, "\(rule.rawValue)")
        }
    }
}
