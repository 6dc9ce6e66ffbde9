import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 6238.
@Suite("One-time passwords on the pages", .server)
struct SecondFactorPageTests {
    let server = TestServer.current

    @Test func `are set up by their first code, asked for after the password, and turned off`() async throws {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get("account/one-time-passwords")
        let wrong = try await anna.post(
            "account/one-time-passwords", ["proposal": page.field("proposal"), "code": "000000"])
        #expect(wrong.status == .unprocessableContent && wrong.text.contains("That is not the code"))
        #expect(try await server.rows(of: "one_time_passwords") == 0)
        let (totp, codes) = try await anna.setUpPasswords()
        #expect(Set(codes).count == 10)
        let account = try await anna.get("account")
        #expect(account.text.contains("10 recovery codes left"))
        #expect(try await !server.dump().contains(totp.hotp.secret.revealed))

        server.clock.advance(by: .seconds(30))
        let browser = try await server.newBrowser()
        let asked = try await browser.typePassword()
        let now = server.clock.date
        let answer = try await browser.type(totp.password(at: now).revealed, at: asked)
        #expect(answer.location == "/activate")
        let session = try await server.store.read { repositories in
            try repositories.browserSessions.find(
                BrowserCookie(revealing: String(try #require(answer.givenCookie).drop { $0 != "=" }.dropFirst()))
                    .digest)
        }
        #expect(session?.authentication == .passwordAnd(.oneTimePassword))
        #expect(
            session?.proofs == [.accountPassword(at: now), .secondFactor(.oneTimePassword, at: now)])

        #expect(
            try await anna.confirm("account/one-time-passwords/remove").location
                == "/account?done=one-time-passwords-removed")
        #expect(try await server.rows(of: "recovery_codes") == 0)
        #expect(try await server.browser(of: .anna).get("account").status == .ok)
    }

    /// The answer may lead straight to the app when the person allowed it before.
    @Test(.server(withApps: true))
    func `are typed on a page from which the browser may go on to the app that asked`() async throws {
        _ = try await server.browser(of: .anna).setUpPasswords()
        let stranger = try await server.newBrowser()
        let login = try #require(try await stranger.authorize(TestApps.shop.request).location)
        let shown = try await server.get(login, headers: [.cookie: stranger.cookie])
        let target = try #require(shown.unescapedField("return_to"))
        let asked = try await stranger.post(
            "login",
            ["username": "anna", "password": TestPerson.anna.password.revealed, "return_to": target])
        let wrong = try await stranger.post(
            "login/code",
            ["code": "000000", "ticket": asked.field("ticket"), "return_to": target])
        for page in [asked, wrong] {
            let policy = page.headers[.contentSecurityPolicy]
            #expect(policy?.contains("form-action 'self' https:;") == true)
        }
    }

    @Test func `are accepted once, here and at any other browser`() async throws {
        let (totp, _) = try await server.browser(of: .anna).setUpPasswords()
        let browser = try await server.newBrowser()
        let asked = try await browser.typePassword()
        let first = totp.password(at: server.clock.date).revealed
        let used = try await browser.type(first, at: asked)
        #expect(used.status == .forbidden && used.text.contains("used before"), "it confirmed the setting up")
        server.clock.advance(by: .seconds(30))
        let code = totp.password(at: server.clock.date).revealed
        #expect(try await browser.type(code, at: asked).location == "/activate")
        let other = try await server.newBrowser()
        #expect(try await other.type(code, at: try await other.typePassword()).status == .forbidden)
    }

    @Test func `are set up at the address for a counter after another sign-in, too`() async throws {
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(301))
        let again = try await anna.get("account/one-time-passwords?by=counter").location
        #expect(again?.hasSuffix("return_to=%2Faccount%2Fone-time-passwords%3Fby%3Dcounter") == true, "\(again ?? "")")
    }

    /// Standard: RFC 4226 §7.2, §7.4.
    @Test func `come from a counter too, and are found again by two in a row when it has run ahead`() async throws {
        let anna = try await server.browser(of: .anna)
        // Only people with such a device have the address.
        #expect(try await !anna.get("account/one-time-passwords").text.contains("by=counter"))
        let page = try await anna.get("account/one-time-passwords?by=counter")
        #expect(page.text.contains("whenever you press its button"))
        let text = try #require(page.text.firstMatch(of: #/<p class="key"><code>([A-Z2-7 ]+)</code>/#)?.1)
        let hotp = HOTP(secret: try #require(SharedSecret(parsing: String(text))))
        let on = try await anna.post(
            "account/one-time-passwords",
            [
                "proposal": page.field("proposal"), "by": page.field("by"),
                "code": hotp.password(at: 0).revealed,
            ])
        #expect(on.status == .ok, "\(on.text)")
        let browser = try await server.newBrowser()
        let asked = try await browser.typePassword()
        #expect(try await browser.type(hotp.password(at: 0).revealed, at: asked).status == .forbidden)
        // Some were shown and not used.
        #expect(try await browser.type(hotp.password(at: 4).revealed, at: asked).location == "/activate")
        let next = try await server.newBrowser()
        let again = try await next.typePassword()
        #expect(try await next.type(hotp.password(at: 700).revealed, at: again).status == .forbidden)
        let ticket = try #require(again.field("ticket"))
        let found = try await next.post(
            "login/code",
            [
                "code": hotp.password(at: 700).revealed, "next_code": hotp.password(at: 701).revealed,
                "ticket": ticket, "return_to": "/activate",
            ])
        #expect(found.location == "/activate")
        let record = try await server.store.read { try $0.oneTimePasswords.find(TestPerson.anna.subject) }
        #expect(record?.movingFactor == .counter && record?.last == 701)
    }

    /// Standard: RFC 6238 §6.
    @Test func `are found again by two in a row when the clock is minutes off`() async throws {
        let (totp, _) = try await server.browser(of: .anna).setUpPasswords()
        server.clock.advance(by: .seconds(3600))
        let browser = try await server.newBrowser()
        let asked = try await browser.typePassword()
        let fast = server.clock.date + 300
        #expect(try await browser.type(totp.password(at: fast).revealed, at: asked).status == .forbidden)
        let form = { (first: Date, second: Date) -> Form in
            [
                "code": totp.password(at: first).revealed, "next_code": totp.password(at: second).revealed,
                "ticket": asked.field("ticket") ?? "", "return_to": "/activate",
            ]
        }
        #expect(try await browser.post("login/code", form(fast, fast + 60)).status == .forbidden)
        #expect(try await browser.post("login/code", form(fast, fast + 30)).location == "/activate")
    }

    @Test func `are replaced by a recovery code, each once`() async throws {
        let anna = try await server.browser(of: .anna)
        let (_, codes) = try await anna.setUpPasswords()
        let browser = try await server.newBrowser()
        let first = try await browser.type(
            codes[0].lowercased(), at: try await browser.typePassword(), as: "recovery_code")
        #expect(first.location == "/activate")
        let other = try await server.newBrowser()
        let asked = try await other.typePassword()
        #expect(try await other.type(codes[0], at: asked, as: "recovery_code").status == .forbidden)
        #expect(try await other.type(codes[1], at: asked).location == "/activate", "in the other field")
        #expect(try await anna.get("account").text.contains("8 recovery codes left"))

        let renewed = try await anna.confirm("account/recovery-codes")
        let fresh = renewed.text.matches(of: #/<li><code>([^<]+)</code>/#).map { String($0.1) }
        #expect(fresh.count == 10 && Set(fresh).isDisjoint(with: codes))
        let third = try await server.newBrowser()
        let page = try await third.typePassword()
        #expect(try await third.type(codes[2], at: page, as: "recovery_code").status == .forbidden)
        #expect(try await third.type(fresh[2], at: page, as: "recovery_code").location == "/activate")
    }

    @Test func `that are wrong are marked where they were typed, and the page says what was wrong`() async throws {
        let (totp, codes) = try await server.browser(of: .anna).setUpPasswords()
        let browser = try await server.newBrowser()
        let asked = try await browser.typePassword()
        let used = totp.password(at: server.clock.date).revealed
        let next = totp.password(at: server.clock.date + 30).revealed
        let other = try await server.newBrowser()
        let first = try await other.type(codes[0], at: try await other.typePassword(), as: "recovery_code")
        #expect(first.location == "/activate")
        let wrong: [(Form, [String], String)] = [
            (["code": "000000"], ["code"], "Try the one that the app shows now"),
            (["code": used], ["code"], "That code was used before"),
            (["code": "000000", "next_code": "111111"], ["first_code", "next_code"], "follow one another"),
            (["code": next, "next_code": "x"], ["first_code", "next_code"], "follow one another"),
            (["recovery_code": codes[0]], ["recovery_code"], "none of your recovery codes"),
            (["recovery_code": "x"], ["recovery_code"], "none of your recovery codes"),
        ]
        for (typed, fields, told) in wrong {
            var form = typed
            form["ticket"] = asked.field("ticket")
            let page = try await browser.post("login/code", form)
            #expect(page.status == .forbidden && page.text.contains("<title>Problem: "))
            #expect(page.text.contains(told), "\(typed)")
            let marked = Markup(page.text).all("input").filter { $0.attributes["aria-invalid"] == "true" }
            #expect(marked.compactMap { $0.attributes["id"] } == fields)
            #expect(marked.allSatisfy { $0.attributes["aria-describedby"] == "problem" })
        }
    }

    @Test func `can be begun again without losing what the person came for`() async throws {
        _ = try await server.browser(of: .anna).setUpPasswords()
        let browser = try await server.newBrowser()
        let target = "/activate?user_code=WDJB-MJHT"
        let asked = try await browser.post(
            "login",
            ["username": "anna", "password": TestPerson.anna.password.revealed, "return_to": target])
        let links = Markup(asked.text).all("a").compactMap { $0.attributes["href"] }
        let link = try #require(links.first { $0.hasPrefix("/login?") })
        let login = try await server.get(link, headers: [.cookie: browser.cookie])
        #expect(login.field("return_to") == target)
    }

    @Test func `are asked for in the browser, and for the password, that were there before`() async throws {
        let anna = try await server.browser(of: .anna)
        let (totp, _) = try await anna.setUpPasswords()
        server.clock.advance(by: .seconds(60))
        let browser = try await server.newBrowser()
        let asked = try await browser.typePassword()
        let code = { totp.password(at: server.clock.date).revealed }
        let other = try await server.newBrowser()
        #expect(try await other.type(code(), at: asked).status == .forbidden, "another browser")
        let ticket = try #require(asked.field("ticket"))
        for odd in ["", "x", String(ticket.dropLast()), ticket + "A"] {
            let answer = try await browser.post("login/code", ["ticket": odd, "code": code()])
            #expect(answer.status == .forbidden && answer.headers[.setCookie] == nil)
        }
        server.clock.advance(by: .seconds(301))
        #expect(try await browser.type(code(), at: asked).status == .forbidden, "too late")

        let again = try await browser.typePassword()
        try await server.change { repositories in
            var person = try #require(try repositories.people.find(TestPerson.anna.subject))
            person.password = PasswordHash(restoring: "$scrypt$ln=1,r=8,p=1$AAAA$AAAA")
            try repositories.people.update(person)
        }
        #expect(try await browser.type(code(), at: again).status == .forbidden, "another password")
        #expect(try await server.rows(of: "browser_sessions") == 1)
    }

    @Test func `are set up by a person who signed in just now, in that browser`() async throws {
        let anna = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        let page = try await anna.get("account/one-time-passwords")
        let proposal = try #require(page.field("proposal"))
        #expect(
            try await bert.post("account/one-time-passwords", ["proposal": proposal, "code": "123456"]).status
                == .forbidden)
        server.clock.advance(by: .seconds(301))
        let again = "/login?again=recent&return_to=%2Faccount%2Fone-time-passwords"
        #expect(try await anna.get("account/one-time-passwords").location == again)
        for path in ["account/one-time-passwords", "account/one-time-passwords/remove", "account/recovery-codes"] {
            let answer = try await anna.post(path, ["proposal": proposal, "code": "123456"])
            #expect(answer.location?.hasPrefix("/login?again=recent") == true, "\(path)")
        }
    }

    /// THREATS: each try has three chances in a million. Somebody who knows the password has one in 700 to find a
    /// one-time password in fourteen hours, from as many networks as they like; in a network that the person uses
    /// themselves, one in 240.
    @Test(arguments: [(false, 700.0), (true, 240.0)])
    func `are not guessed by 50,000 tries`(isNetworkKnown: Bool, odds: Double) async throws {
        let (totp, _) = try await server.browser(of: .anna).setUpPasswords()
        let browser = try await server.newBrowser()
        let name = "second factor \(TestPerson.anna.subject)"
        let keys: [RateLimitKey] =
            isNetworkKnown
            ? [.name(name, at: "192.0.2.1", .guessPerAddress)] : [.name(name, .codePerAccount)]
        let limiter = StoredRateLimiter(limits: Limits(), clock: server.clock.source)
        var (admitted, tried) = (0, 0)
        // One try every second, for nearly fourteen hours; the limits decide how many of them are looked at.
        while tried < 50_000 {
            let batch = 50
            admitted += try await server.store.change { repositories in
                var admitted = 0
                for _ in 0..<batch {
                    do {
                        try limiter.admit(keys, in: repositories)
                        try limiter.count(keys, in: repositories)
                        admitted += 1
                    } catch is RateLimitError {}
                }
                return admitted
            }
            tried += batch
            server.clock.advance(by: .seconds(batch))
        }
        #expect(admitted > 300 && Double(admitted) * 3e-6 < 1 / odds)
        // The owner is asked to wait for two minutes at most, and then signs in; at once in a network that they
        // used before, where nobody guessed.
        if isNetworkKnown { server.clock.advance(by: .seconds(120)) }
        let asked = try await browser.typePassword()
        #expect(
            try await browser.type(totp.password(at: server.clock.date).revealed, at: asked).location == "/activate"
        )
    }

    @Test func `are limited where they are typed, and strangers do not get there`() async throws {
        let (totp, _) = try await server.browser(of: .anna).setUpPasswords()
        server.clock.advance(by: .seconds(60))
        let browser = try await server.newBrowser()
        for _ in 0..<2 {
            _ = try await browser.post("login", ["username": "anna", "password": "wrong"])
        }
        let asked = try await browser.typePassword()
        var statuses: [HTTPResponse.Status] = []
        for number in 0..<40 {
            statuses.append(try await browser.type(String(format: "%06d", number), at: asked).status)
        }
        #expect(statuses.contains(.tooManyRequests))
        #expect(statuses.count { $0 == .forbidden } <= 10)
        let code = totp.password(at: server.clock.date).revealed
        let refused = try await browser.type(code, at: asked)
        #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1", "a right one, too")
        server.clock.advance(by: .seconds(1))
        #expect(try await browser.type(code, at: asked).location == "/activate")
    }

    /// Nobody can guess one of 80 random bits.
    @Test func `make nobody wait who has a recovery code`() async throws {
        let (_, recoveryCodes) = try await server.browser(of: .anna).setUpPasswords()
        let browser = try await server.newBrowser()
        let asked = try await browser.typePassword()
        for number in 0..<20 { _ = try await browser.type(String(format: "%06d", number), at: asked) }
        #expect(try await browser.type("000000", at: asked).status == .tooManyRequests)
        let code = try #require(recoveryCodes.first)
        #expect(try await browser.type(code, at: asked, as: "recovery_code").location == "/activate")
    }
}
