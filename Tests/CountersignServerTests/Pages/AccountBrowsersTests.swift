import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A browser of a person", .server { $0.trustedProxies = [AddressNetwork("192.0.2.1")!] })
struct AccountBrowsersTests {
    let server = TestServer.current

    private static let firefox = AnswerPlaceTests.firefox
    private static let home = TestScreenByLink.home
    /// The page about Anna for administrators.
    private static let pageOfAnna = AdminAddress.of(
        "admin/people/person", ["subject": TestPerson.anna.subject.rawValue])

    /// A browser with a name for itself where Anna signed in.
    private func browser(
        _ software: String?, at address: String = Self.home, again earlier: TestBrowser? = nil
    ) async throws -> TestBrowser {
        let stranger = if let earlier { earlier } else { try await server.newBrowser() }
        var headers: HTTPFields = [.xForwardedFor: address]
        headers[.userAgent] = software
        let form: Form = ["username": TestPerson.anna.rawValue, "password": TestPerson.anna.password.revealed]
        let answer = try await stranger.post("login", form, headers: headers)
        return TestBrowser(server: server, cookie: try #require(answer.givenCookie), formToken: "")
    }

    private func session(of browser: TestBrowser) async throws -> BrowserSession {
        let cookie = BrowserCookie(revealing: String(try #require(browser.cookie.split(separator: "=").last)))
        return try #require(try await server.store.read { try $0.browserSessions.find(cookie.digest) })
    }

    @Test func `has a name, a network address and a last use in the others`() async throws {
        let other = try await browser(Self.firefox)
        server.clock.advance(by: .seconds(3_600))
        #expect(try await other.get("account").status == .ok)
        server.clock.advance(by: .seconds(1_800))
        let page = try await server.browser(of: .anna).get("account").text
        #expect(page.contains("<h3><bdi>Firefox, Linux</bdi></h3>"))
        #expect(page.contains("<dt>Signed in</dt><dd><time datetime=\"2027-01-15T08:00:00Z\">1 hour ago, 08:00 UTC<"))
        #expect(page.contains("<dt>Signed in from</dt><dd><bdi>198.51.100.7</bdi></dd>"))
        #expect(
            page.contains("<dt>Last used</dt><dd><time datetime=\"2027-01-15T09:00:00Z\">30 minutes ago, 09:00 UTC<"))
        #expect(page.contains("Sign out<span class=\"unseen\"> Firefox, Linux, 1 hour ago, 08:00 UTC</span>"))
    }

    @Test(arguments: [
        ("en", "A browser", "Signed in from"), ("de", "Ein Browser", "Angemeldet von"),
        ("fr", "Un navigateur", "Connecté depuis"), ("es", "Un navegador", "Sesión iniciada desde"),
    ])
    func `without a known name is a browser, in each language`(tag: String, name: String, words: String) async throws {
        _ = try await browser("curl/8.0")
        let anna = try await server.browser(of: .anna)
        let headers: HTTPFields = [.cookie: anna.cookie, .acceptLanguage: tag]
        let page = try await server.get(server.path("account"), headers: headers).text
        #expect(page.contains("<h3><bdi>\(name)</bdi></h3>"))
        #expect(page.contains("<dt>\(words)</dt><dd><bdi>198.51.100.7</bdi></dd>"))
    }

    @Test(arguments: [
        (Double(3_599), Double(0)), (3_600, 3_600), (7_300, 7_300),
    ])
    func `is noted as used once an hour`(after: Double, lastUsed: Double) async throws {
        let start = server.clock.date
        let used = try await browser(Self.firefox)
        let unused = try await browser(Self.firefox)
        #expect(try await session(of: used).lastUsed == start)
        server.clock.advance(by: .seconds(after))
        #expect(try await used.get("account").status == .ok)
        #expect(try await session(of: used).lastUsed == start + lastUsed)
        #expect(try await session(of: unused).lastUsed == start)
        server.clock.advance(by: .seconds(0.5))
        #expect(try await used.get("account").status == .ok)
        #expect(try await session(of: used).lastUsed == start + lastUsed)
    }

    @Test func `is recognized where its use cannot be noted`() async throws {
        let anna = try await browser(Self.firefox)
        let services = server.server.services
        let sessions = BrowserSessions(
            store: UnwritableStore(base: server.store), keys: services.keys, mint: services.mint,
            clock: services.clock, lifetime: 3600)
        server.clock.advance(by: .seconds(7_200))
        let cookie = BrowserCookie(revealing: String(try #require(anna.cookie.split(separator: "=").last)))
        let visitor = try await sessions.visitor(presenting: cookie)
        #expect(visitor.signedIn?.person.subject == TestPerson.anna.subject)
        #expect(try await session(of: anna).lastUsed == server.clock.date - 7_200)
    }

    @Test func `has the details of the latest sign-in in it`() async throws {
        let first = try await browser(Self.firefox)
        let token = try #require(try await first.get("account").field("form_token"))
        let signedIn = TestBrowser(server: server, cookie: first.cookie, formToken: token)
        let earlier = try await session(of: first)
        server.clock.advance(by: .seconds(60))
        let later = try await session(
            of: browser("Chrome/140.0 (Windows)", at: TestScreenByLink.elsewhere, again: signedIn))
        #expect(later.id == earlier.id && later.lastUsed == earlier.lastUsed + 60)
        #expect(earlier.browser == BrowserDetails(name: "Firefox, Linux", address: Self.home))
        #expect(later.browser == BrowserDetails(name: "Chrome, Windows", address: TestScreenByLink.elsewhere))
    }

    @Test func `keeps its details under another cookie`() async throws {
        let earlier = try await session(of: browser(Self.firefox))
        let cookie = SecretDigest(of: "another")
        try await server.change { try Sessions($0).renew(earlier, as: cookie) }
        let later = try #require(try await server.store.read { try $0.browserSessions.find(cookie) })
        #expect(later.id == earlier.id && later.browser == earlier.browser && later.lastUsed == earlier.lastUsed)
    }

    @Test func `that a phone signed in has its own words for a name, and a last use`() async throws {
        let television = try await TestAskingBrowser.asking(server)
        let anna = try await server.browser(of: .anna)
        try await anna.approve(television)
        #expect(try await !anna.get("account").text.contains("<dt>Last used</dt>"))
        try await television.proceed()
        let session = try #require(try await television.session())
        #expect(session.browser == BrowserDetails(name: TestAskingBrowser.software, address: Self.home))
        let page = try await anna.get("account").text
        #expect(page.contains("<dt>Last used</dt><dd><time datetime=\"2027-01-15T08:00:00Z\">just now, 08:00 UTC<"))
    }

    static let hostile: [(String?, String?)] = [
        ("Firefox/1 <script>alert(1)</script> Linux", "Firefox, Linux"), ("\"'><b>Chrome", "Chrome"),
        ("🦊 \u{202E}\u{7}\r\nSet-Cookie: a=b", nil), ("{{formToken}} [[account.title]]", nil), ("", nil), (nil, nil),
    ]

    @Test(arguments: hostile)
    func `breaks no page by its words`(software: String?, name: String?) async throws {
        let hers = try await session(of: browser(software))
        #expect(hers.browser == BrowserDetails(name: name, address: Self.home))
        let own = try await server.browser(of: .anna).get("account")
        let helper = try await server.administrator(.bert, as: .helpdesk)
        for page in [own, try await helper.get(Self.pageOfAnna)] {
            #expect(page.status == .ok && page.text.contains("<h3><bdi>\(name ?? "A browser")</bdi></h3>"))
            for word in ["alert(1)", "<b>Chrome", "🦊", "a=b", "{{", "[["] {
                #expect(!page.text.contains(word), "\(word)")
            }
        }
    }

    @Test func `has a short name, however long its own is`() async throws {
        let nameless = try await session(of: browser(String(repeating: "k", count: 100_000)))
        let named = try await session(of: browser(String(repeating: "Firefox Linux ", count: 10_000)))
        #expect(nameless.browser.name == nil && named.browser.name == "Firefox, Linux")
        let page = try await server.browser(of: .anna).get("account")
        #expect(page.status == .ok && page.text.contains("<h3><bdi>A browser</bdi></h3>"))
        #expect(page.text.contains("<h3><bdi>Firefox, Linux</bdi></h3>"))
    }

    @Test func `is told to administrators`() async throws {
        let other = try await browser(Self.firefox)
        server.clock.advance(by: .seconds(3_600))
        #expect(try await other.get("account").status == .ok)
        let helper = try await server.administrator(.bert, as: .helpdesk)
        let page = try await helper.get(Self.pageOfAnna).text
        #expect(page.contains("<h3><bdi>Firefox, Linux</bdi></h3>") && page.contains("198.51.100.7"))
        for instant in ["2027-01-15T08:00:00Z", "2027-01-15T09:00:00Z", "2027-01-15T20:00:00Z"] {
            #expect(page.contains("datetime=\"\(instant)\""), "\(instant)")
        }
    }

    @Test func `is in the export`() async throws {
        let other = try await browser(Self.firefox)
        server.clock.advance(by: .seconds(3_600))
        #expect(try await other.get("account").status == .ok)
        let export = try await server.store.read { [now = server.clock.date] repositories in
            let anna = try #require(try repositories.people.find(TestPerson.anna.subject))
            return try PersonExport(of: anna, in: repositories, at: now)
        }
        let json = try #require(try JSONSerialization.jsonObject(with: export.json()) as? [String: Any])
        let sessions = try #require(json["browser_sessions"] as? [[String: String]])
        #expect(
            sessions == [
                [
                    "id": try await session(of: other).id.rawValue, "browser": "Firefox, Linux",
                    "address": "198.51.100.7", "authenticated": "2027-01-15T08:00:00Z",
                    "last_used": "2027-01-15T09:00:00Z", "expires": "2027-01-15T20:00:00Z",
                    "authentication": Evidence(try await session(of: other).proofs).audited,
                ]
            ])
    }
}

/// A store that reads, and has no room for changes.
private struct UnwritableStore: ForwardingStore {
    let base: any Store

    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        throw StoreUnavailableError(.notDone, reason: "no space left")
    }
}
