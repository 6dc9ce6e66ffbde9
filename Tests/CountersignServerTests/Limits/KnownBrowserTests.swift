import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: OWASP, device cookies.
@Suite("A browser in which a person signed in before", .server)
struct KnownBrowserTests {
    let server = TestServer.current

    /// Signs a person in; returns the cookie that the browser is known by from then on.
    private func known(_ person: TestPerson, at server: TestServer) async throws -> String {
        let browser = try await server.newBrowser()
        let answer = try await browser.post(
            "login", ["username": person.rawValue, "password": person.password.revealed])
        let cookies = answer.headers[values: .setCookie]
        #expect(cookies.count == 2)
        let cookie = try #require(cookies.first { $0.hasPrefix("countersign-known-8080=") })
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Max-Age=31536000"))
        #expect(!cookie.contains(person.subject.rawValue) && !cookie.contains(person.rawValue))
        return String(try #require(cookie.split(separator: ";").first))
    }

    /// The status of the answer to a password of Anna's at a browser with this cookie.
    private func attempt(
        _ password: String = TestPerson.anna.password.revealed,
        for name: String = "anna",
        at server: TestServer,
        from address: String? = nil,
        showing cookie: String?
    ) async throws -> HTTPResponse.Status {
        try await answer(password, for: name, at: server, from: address, showing: cookie).status
    }

    private func answer(
        _ password: String = TestPerson.anna.password.revealed,
        for name: String = "anna",
        at server: TestServer,
        from address: String? = nil,
        showing cookie: String?
    ) async throws -> TestResponse {
        let fresh = try await server.newBrowser()
        let browser = TestBrowser(
            server: server,
            cookie: [fresh.cookie, cookie].compactMap(\.self).joined(separator: "; "),
            formToken: fresh.formToken
        )
        return try await browser.post(
            "login",
            ["username": name, "password": password],
            headers: address.map { [.xForwardedFor: $0] } ?? [:]
        )
    }

    /// Guesses at a name in another browser at the same address, until those there have to wait.
    private func useUp(_ name: String, at server: TestServer) async throws {
        for _ in 0..<16 { _ = try await attempt("wrong", for: name, at: server, showing: nil) }
    }

    @Test func `lets the right password through whatever strangers guessed`() async throws {
        let cookie = try await known(.anna, at: server)
        // It goes on as long as they go on.
        for _ in 0..<10 {
            try await useUp("anna", at: server)
            #expect(try await attempt(at: server, showing: nil) == .tooManyRequests)
            #expect(try await attempt(at: server, showing: cookie) == .seeOther)
            server.clock.advance(by: .seconds(60))
        }
    }

    @Test func `lets it through though strangers at the same address guessed at other names, as does their network`()
        async throws
    {
        let cookie = try await known(.anna, at: server)
        for number in 0..<30 { _ = try await attempt("wrong", for: "name-\(number)", at: server, showing: nil) }
        // Bert was never there.
        let berts = TestPerson.bert.password.revealed
        #expect(try await attempt(berts, for: "bert", at: server, showing: nil) == .tooManyRequests)
        #expect(try await attempt(at: server, showing: nil) == .seeOther)
        #expect(try await attempt(at: server, showing: cookie) == .seeOther)
    }

    @Test(.server(configuring: proxy))
    func `lets it through though ever other networks guess, and from a new network after two minutes at most`()
        async throws
    {
        let cookie = try await known(.anna, at: server)
        func flood() async throws -> Int {
            var guessed = 0
            for network in 1...120 {
                let address = "203.0.\(network).1"
                let status = try await attempt("wrong", at: server, from: address, showing: nil)
                if status == .forbidden { guessed += 1 }
            }
            return guessed
        }
        let guessed = try await flood()
        #expect((45...50).contains(guessed))
        server.clock.advance(by: .seconds(2))
        _ = try await flood()
        #expect(try await attempt(at: server, from: "198.51.100.7", showing: cookie) == .seeOther)
        let refused = try await answer(at: server, from: "198.51.101.7", showing: nil)
        #expect(refused.status == .tooManyRequests)
        #expect(refused.text.contains("in a browser in which you signed in before"))
        let pause = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
        #expect((30...120).contains(pause))
        server.clock.advance(by: .seconds(pause))
        _ = try await flood()
        #expect(try await attempt(at: server, from: "198.51.101.7", showing: nil) == .seeOther)
    }

    @Test func `is known for each of the last four people who signed in there`() async throws {
        let keys = try await server.server.services.keys.current()
        let people = (1...5).map { Subject("person \($0)") }
        var cookie: KnownBrowserCookie?
        for subject in people + [people[1]] {
            cookie = keys.knownBrowserCookie(
                for: subject, "nonce-of-22-characters", replacing: cookie, at: server.clock.date)
        }
        let last = try #require(cookie)
        let known = people.map { keys.knownBrowser(presenting: last, as: $0, at: server.clock.date) != nil }
        #expect(known == [false, true, true, true, true])
        #expect(last.revealed.split(separator: "~").count == 4 && last.revealed.utf8.count < 400)
        let tooLong = KnownBrowserCookie(revealing: "\(last.revealed)~\(last.revealed)")
        #expect(keys.knownBrowser(presenting: tooLong, as: people[1], at: server.clock.date) == nil)
    }

    @Test func `lets each of two people through who share it, whatever strangers guessed`() async throws {
        let annas = try await known(.anna, at: server)
        let fresh = try await server.newBrowser()
        let shared = TestBrowser(
            server: server, cookie: "\(fresh.cookie); \(annas)", formToken: fresh.formToken)
        let bert = try await shared.post("login", ["username": "bert", "password": TestPerson.bert.password.revealed])
        let given = try #require(
            bert.headers[values: .setCookie].first { $0.hasPrefix("countersign-known-8080=") })
        let cookie = String(try #require(given.split(separator: ";").first))
        for person in [TestPerson.anna, .bert] {
            let (name, password) = (person.rawValue, person.password.revealed)
            try await useUp(name, at: server)
            #expect(try await attempt(password, for: name, at: server, showing: nil) == .tooManyRequests)
            #expect(try await attempt(password, for: name, at: server, showing: cookie) == .seeOther)
        }
    }

    @Test func `types one-time passwords though others at the address typed wrong ones`() async throws {
        let (totp, _) = try await server.browser(of: .anna).setUpPasswords()
        let fresh = try await server.newBrowser()
        let keys = try await server.server.services.keys.current()
        let known = keys.knownBrowserCookie(
            for: TestPerson.anna.subject, "nonce", replacing: nil, at: server.clock.date)
        let browser = TestBrowser(
            server: server,
            cookie: "\(fresh.cookie); countersign-known-8080=\(known.revealed)",
            formToken: fresh.formToken
        )
        let limiter = StoredRateLimiter(limits: Limits(), clock: server.clock.source)
        let guessed = RateLimitKey.name("second factor \(TestPerson.anna.subject)", at: "192.0.2.1", .guessPerAddress)
        try await server.store.change { repositories in
            for _ in 0..<30 { try limiter.count([guessed], in: repositories) }
        }
        server.clock.advance(by: .seconds(30))
        let code = { totp.password(at: server.clock.date).revealed }
        let stranger = try await server.newBrowser()
        let asked = try await stranger.typePassword()
        #expect(try await stranger.type(code(), at: asked).status == .tooManyRequests)
        let page = try await browser.typePassword()
        for _ in 0..<10 { #expect(try await browser.type("000000", at: page).status == .forbidden) }
        // Its own ten are used up.
        #expect(try await browser.type(code(), at: page).status == .tooManyRequests)
        server.clock.advance(by: .seconds(1))
        #expect(try await browser.type(code(), at: page).location == "/activate")
    }

    private static let proxy: @Sendable (inout ServerSettings) -> Void = {
        $0.trustedProxies = [AddressNetwork("192.0.2.1")!]
    }

    @Test func `has ten guesses of its own, waits then, and keeps nobody else waiting`() async throws {
        let cookie = try await known(.anna, at: server)
        for _ in 0..<10 { #expect(try await attempt("wrong", at: server, showing: cookie) == .forbidden) }
        let refused = try await answer(at: server, showing: cookie)
        #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1")
        #expect(try await attempt(at: server, showing: nil) == .seeOther)
        server.clock.advance(by: .seconds(1))
        #expect(try await attempt(at: server, showing: cookie) == .seeOther)
    }

    @Test func `is known for its own person only, and by no cookie that was altered or is too old`() async throws {
        let (annas, berts) = (try await known(.anna, at: server), try await known(.bert, at: server))
        try await useUp("anna", at: server)
        var forged = [berts, annas + "x", String(annas.dropLast()), annas.replacing(".", with: ":")]
        forged += ["countersign-known-8080=", "countersign-known-8080=9999999999..x"]
        for cookie in forged { #expect(try await attempt(at: server, showing: cookie) == .tooManyRequests) }
        server.clock.advance(by: .seconds(365 * 86_400))
        try await useUp("anna", at: server)
        #expect(try await attempt(at: server, showing: annas) == .tooManyRequests)
    }

    @Test func `enters codes though strangers behind the same address guessed, once it is known for an hour`()
        async throws
    {
        let cookie = try await known(.anna, at: server)
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        let knownAnna = TestBrowser(
            server: server, cookie: "\(anna.cookie); \(cookie)", formToken: anna.formToken)
        for isLater in [false, true] {
            if isLater { server.clock.advance(by: .seconds(3600)) }
            for browser in [anna, bert] {
                for number in 0..<5 { try await browser.guess(number) }
            }
            let codes = try await server.ask()
            let form: Form = ["user_code": codes.userCode.rawValue]
            #expect(try await anna.post("activate", form).status == .tooManyRequests)
            let expected: HTTPResponse.Status = isLater ? .seeOther : .tooManyRequests
            #expect(try await knownAnna.post("activate", form).status == expected)
        }
    }

    /// A browser where the person signed in, with the cookie that it is known by.
    private func knownBrowser(of person: TestPerson, at server: TestServer) async throws -> TestBrowser {
        let (cookie, browser) = (try await known(person, at: server), try await server.browser(of: person))
        return TestBrowser(
            server: server, cookie: "\(browser.cookie); \(cookie)", formToken: browser.formToken)
    }

    @Test func `enters codes though others guessed in such browsers behind the same address`() async throws {
        let anna = try await knownBrowser(of: .anna, at: server)
        let bert = try await knownBrowser(of: .bert, at: server)
        server.clock.advance(by: .seconds(3600))
        var tried = 0
        for number in 0..<20 {
            if try await bert.guess(number).status == .unprocessableContent { tried += 1 }
        }
        #expect(tried == 10)
        #expect(try await bert.take(try await server.ask()).status == .tooManyRequests)
        #expect(try await anna.take(try await server.ask()).status == .seeOther)
    }

    /// The bound that `Documentation/Limits.md` states for one account.
    @Test func `guesses at codes no more often than its account may, in however many browsers`() async throws {
        var browsers: [TestBrowser] = []
        for _ in 0..<4 { browsers.append(try await knownBrowser(of: .anna, at: server)) }
        server.clock.advance(by: .seconds(3600))
        var tried = 0
        for number in 0..<40 {
            let answer = try await browsers[number % browsers.count].guess(number)
            if answer.status == .unprocessableContent { tried += 1 }
        }
        #expect(tried == 12)
    }

    @Test func `may guess as before at names that are nobody's`() async throws {
        let cookie = try await known(.anna, at: server)
        let fresh = try await server.newBrowser()
        let browser = TestBrowser(
            server: server, cookie: "\(fresh.cookie); \(cookie)", formToken: fresh.formToken)
        for _ in 0..<10 {
            #expect(try await browser.post("login", ["username": "x", "password": "y"]).status == .forbidden)
        }
        #expect(try await browser.post("login", ["username": "x", "password": "y"]).status == .tooManyRequests)
    }
}
