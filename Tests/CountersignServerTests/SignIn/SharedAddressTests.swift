import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// One shared address is no proximity: an attacker behind the same carrier or in the same office asks from it, too.
///
/// Standard: RFC 10027 for the attack.
@Suite("An address that many people share")
struct SharedAddressTests {
    private static let home = TestScreenByLink.home

    /// Notes that strangers signed in at an address.
    private func crowd(_ count: Int, at address: String, of server: TestServer) async throws {
        let now = server.clock.date
        try await server.change { repositories in
            for number in 0..<count {
                try PeopleAtAddress(address)?.note(Subject("stranger-\(number)"), in: repositories, at: now)
            }
        }
    }

    private func areMany(at address: String, of server: TestServer) async throws -> Bool {
        let now = server.clock.date
        return try await server.store.read { try PeopleAtAddress(address)?.areMany(in: $0, at: now) ?? false }
    }

    @Test func `is no place, so that a link alone approves nothing for a stranger behind it`() async throws {
        try await TestScreenByLink.behindProxy { server in
            try await crowd(PeopleAtAddress.most + 1, at: Self.home, of: server)
            // The attacker's screen and the victim have the same address.
            let screen = try await TestScreenByLink.asking(server)
            let victim = try await server.browser(of: .anna)
            #expect(try await screen.open(victim, at: Self.home).location?.hasPrefix("/activate/confirm?") == true)
            let number = try #require(try await screen.number())
            let page = try await screen.page(victim)
            #expect(page.contains("name=\"number\"") && !page.contains("The same address as yours now"))
            let blind = try await screen.answer("approve", victim, at: Self.home)
            #expect(blind.location?.hasSuffix("&number=wrong") == true)
            #expect(try await screen.poll().error == .authorizationPending)
            // Somebody who sees the screen goes on.
            _ = try await screen.answer("approve", victim, number: number, at: Self.home)
            #expect(try await screen.poll().status == .ok)
        }
    }

    @Test func `demands the typed code of a screen that shows no number`() async throws {
        try await TestScreenByLink.behindProxy { server in
            try await crowd(PeopleAtAddress.most + 1, at: Self.home, of: server)
            let screen = try await TestScreenByLink.asking(server, showingNumbers: false)
            let anna = try await server.browser(of: .anna)
            #expect(try await screen.open(anna, at: Self.home).status == .unprocessableContent)
            #expect(try await screen.type(anna, at: Self.home).location?.hasPrefix("/activate/confirm?") == true)
            _ = try await screen.answer("approve", anna, at: Self.home)
            #expect(try await screen.poll().status == .ok)
        }
    }

    @Test func `begins beyond the people of one home`() async throws {
        try await TestScreenByLink.behindProxy { server in
            // With Anna they are as many as may live in one home.
            try await crowd(PeopleAtAddress.most - 1, at: Self.home, of: server)
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            _ = try await screen.open(anna, at: Self.home)
            #expect(try await screen.number() == nil)
            _ = try await screen.answer("approve", anna, at: Self.home)
            #expect(try await screen.poll().status == .ok)
        }
    }

    // MARK: A browser of the person's own

    /// A browser where a person signed in so long ago, with the cookie that says so.
    private func own(_ person: TestPerson, at server: TestServer, since span: Duration) async throws -> TestBrowser {
        let fresh = try await server.newBrowser()
        let form: Form = ["username": person.rawValue, "password": person.password.revealed]
        let known = try await fresh.post("login", form).headers[values: .setCookie]
            .compactMap { $0.split(separator: ";").first.map(String.init) }
        let cookie = known.joined(separator: "; ")
        server.clock.advance(by: span)
        let account = try await server.get(server.path("account"), headers: [.cookie: cookie])
        return TestBrowser(server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
    }

    @Test func `asks nothing more in a browser in which the person signed in before`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let anna = try await own(.anna, at: server, since: .seconds(3600))
            try await crowd(PeopleAtAddress.most + 1, at: Self.home, of: server)
            let screen = try await TestScreenByLink.asking(server)
            _ = try await screen.open(anna, at: Self.home)
            #expect(try await screen.number() == nil)
            _ = try await screen.answer("approve", anna, at: Self.home)
            #expect(try await screen.poll().status == .ok)
        }
    }

    @Test func `asks in one in which they signed in just now, for this link`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let anna = try await own(.anna, at: server, since: .seconds(60))
            try await crowd(PeopleAtAddress.most + 1, at: Self.home, of: server)
            let screen = try await TestScreenByLink.asking(server)
            _ = try await screen.open(anna, at: Self.home)
            #expect(try await screen.number() != nil)
        }
    }

    @Test func `asks in one of another person`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let bert = try await own(.bert, at: server, since: .seconds(3600))
            let known = try #require(bert.cookie.split(separator: "; ").first { $0.contains("known") })
            let plain = try await server.browser(of: .anna)
            let anna = TestBrowser(
                server: server, cookie: "\(plain.cookie); \(known)", formToken: plain.formToken)
            try await crowd(PeopleAtAddress.most + 1, at: Self.home, of: server)
            let screen = try await TestScreenByLink.asking(server)
            _ = try await screen.open(anna, at: Self.home)
            #expect(try await screen.number() != nil)
        }
    }

    @Test func `asks in a browser of the person's own too, in another network than the screen's`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let anna = try await own(.anna, at: server, since: .seconds(3600))
            let screen = try await TestScreenByLink.asking(server)
            _ = try await screen.open(anna, at: TestScreenByLink.elsewhere)
            #expect(try await screen.number() != nil)
        }
    }

    @Test(.server) func `remembers that a browser is a person's own over their next sign-ins`() async throws {
        let server = TestServer.current
        let keys = try await server.server.services.keys.current()
        let noon = server.clock.date
        let anna = TestPerson.anna.subject
        let first = keys.knownBrowserCookie(for: anna, "one", replacing: nil, at: noon)
        let second = keys.knownBrowserCookie(for: anna, "two", replacing: first, at: noon + 90_000)
        let known = try #require(keys.knownBrowser(presenting: second, as: anna, at: noon + 90_001))
        #expect(known.nonce == "two" && known.since == noon + 90_000)
        #expect(abs(known.first.timeIntervalSince(noon)) < 1)
        // Nobody makes it older, and it is nobody else's.
        let parts = second.revealed.split(separator: ".")
        let older = "\(parts[0]).\(parts[1]).1.\(parts[3])"
        let forged = KnownBrowserCookie(revealing: older)
        #expect(keys.knownBrowser(presenting: forged, as: anna, at: noon + 90_001) == nil)
        #expect(keys.knownBrowser(presenting: second, as: TestPerson.bert.subject, at: noon + 90_001) == nil)
    }

    // MARK: Counting

    @Test func `is counted by people, each once, whatever they do there`() async throws {
        try await TestScreenByLink.behindProxy { server in
            for _ in 0..<3 { try await crowd(PeopleAtAddress.most, at: Self.home, of: server) }
            #expect(try await !areMany(at: Self.home, of: server))
            let browser = try await server.newBrowser()
            let form: Form = ["username": "anna", "password": TestPerson.anna.password.revealed]
            _ = try await browser.post("login", form, headers: [.xForwardedFor: Self.home])
            #expect(try await areMany(at: Self.home, of: server))
            #expect(try await !areMany(at: TestScreenByLink.elsewhere, of: server))
        }
    }

    @Test(.server) func `is remembered over midnight, and forgotten after two days`() async throws {
        let server = TestServer.current
        try await crowd(PeopleAtAddress.most + 1, at: Self.home, of: server)
        server.clock.advance(by: .seconds(86_399))
        #expect(try await areMany(at: Self.home, of: server))
        server.clock.advance(by: .seconds(86_401))
        #expect(try await !areMany(at: Self.home, of: server))
    }

    @Test(.server) func `is a network of IPv6, and no place of a phone with a pairing`() async throws {
        let server = TestServer.current
        try await crowd(PeopleAtAddress.most + 1, at: "2001:db8::1", of: server)
        #expect(try await areMany(at: "2001:db8::2", of: server))
        #expect(try await !areMany(at: "2001:db8:0:1::2", of: server))
        let addresses = server.server.services.addresses
        let now = server.clock.date
        let (shared, other) = try await server.store.read { repositories in
            (
                try addresses.samePlace("2001:db8::1", "2001:db8::2", in: repositories, at: now),
                try addresses.samePlace("192.0.2.7", "192.0.2.7", in: repositories, at: now)
            )
        }
        #expect(shared == .unknown && other == .yes)
    }
}
