import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A link that sets a password", .server)
struct PasswordResetLinkTests {
    private let server = TestServer.current
    private let new = "seven slow snails"

    @Test func `shows whose password it sets, and sets it`() async throws {
        let secret = try await server.link()
        let browser = try await server.newBrowser()
        let page = try await browser.post("link", ["link": secret.revealed])
        #expect(page.status == .ok && page.text.contains("Anna Ek"))
        #expect(page.field("username") == "anna" && page.field("link") == secret.revealed)

        let answer = try await browser.useLink(secret)
        #expect(answer.status == .ok && answer.text.contains("Your new password counts from now on"))
        #expect(answer.givenCookie == nil)
        #expect(try await server.signsIn("anna", new))
        #expect(try await !server.signsIn("anna", TestPerson.anna.password.revealed))
        #expect(try await server.signsIn("bert", TestPerson.bert.password.revealed))
        let audited = try await server.audited(.passwordChanged)
        #expect(audited.map(\.by) == [.person] && audited.map(\.detail) == ["by a link"])
        #expect(try await server.audited(.passwordResetLinkMade).map(\.subject) == [TestPerson.anna.subject])
        #expect(try await server.record(of: .anna).passwordChanged == server.clock.date)
    }

    @Test func `is read from a pasted address, too`() async throws {
        let secret = try await server.link()
        let browser = try await server.newBrowser()
        let pasted = "  \(secret.address(at: server.issuer))\n"
        #expect(try await browser.post("link", ["link": pasted]).text.contains("Anna Ek"))
    }

    @Test func `ends her browsers and approvals, and tells her devices`() async throws {
        let phone = try await server.authenticator()
        try await phone.registerForPush()
        let anna = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        let codes = try await server.ask()
        try await anna.decide("approve", codes)
        let secret = try await server.link()
        _ = try await server.newBrowser().useLink(secret)
        #expect(try await anna.get("account").location?.hasPrefix("/login") == true)
        #expect(try await bert.get("account").status == .ok)
        #expect(try await server.poll(codes).error == .accessDenied)
        #expect(try await phone.inbox().status == .ok)
        #expect(try await server.pushedChanges().contains("00ffa0"))
    }

    @Test func `signs nobody in, so that a second factor is asked for`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await anna.setUpPasswords()
        _ = try await server.newBrowser().useLink(try await server.link())
        let answer = try await server.newBrowser().post("login", ["username": "anna", "password": new])
        #expect(answer.status == .ok && answer.headers[.setCookie] == nil)
        #expect(answer.field("ticket") != nil)
        #expect(try await server.store.read { try $0.oneTimePasswords.find(TestPerson.anna.subject) } != nil)
    }

    @Test(arguments: [
        ("short", "short", "too short"), ("dragon2024", "dragon2024", "first that others try"),
        ("Anna-2026", "Anna-2026", "others know"), ("seven slow snails", "seven slow snail", "are not the same"),
    ])
    func `refuses a weak password, and can be used again`(first: String, second: String, words: String) async throws {
        let secret = try await server.link()
        let browser = try await server.newBrowser()
        let refused = try await browser.useLink(
            secret, ["new_password": first, "new_password_again": second])
        #expect(refused.status == .unprocessableContent && refused.text.contains(words), "\(refused.text)")
        #expect(refused.field("link") == secret.revealed)
        #expect(try await browser.useLink(secret).status == .ok)
    }

    // MARK: Links that are of no use

    @Test func `works once, and says so afterwards`() async throws {
        let secret = try await server.link()
        let browser = try await server.newBrowser()
        _ = try await browser.useLink(secret)
        server.clock.advance(by: .seconds(120))
        for path in ["link", "link/password"] {
            let answer = try await browser.useLink(secret, at: path, password: "eight slow snails")
            #expect(answer.status == .gone && answer.text.contains("This link was used"))
            #expect(answer.text.contains("2 minutes ago") && answer.text.contains("href=\"/login/forgot\""))
        }
        #expect(try await server.signsIn("anna", new))
    }

    @Test func `ends at its time, and says so for a week`() async throws {
        let secret = try await server.link(lasting: 600)
        let browser = try await server.newBrowser()
        server.clock.advance(by: .seconds(600))
        let answer = try await browser.useLink(secret)
        #expect(answer.status == .gone && answer.text.contains("This link is too old"))
        #expect(try await server.signsIn("anna", TestPerson.anna.password.revealed))
        for (days, words) in [(7, "This link is too old"), (1, "This link does not work")] {
            server.clock.advance(by: .seconds(days * 86_400))
            try await server.maintenance().sweep()
            #expect(try await server.newBrowser().useLink(secret).text.contains(words))
        }
    }

    @Test func `is ended by a newer one of the same person alone`() async throws {
        let first = try await server.link()
        let other = try await server.link(for: TestPerson.bert.subject)
        let second = try await server.link()
        let browser = try await server.newBrowser()
        let answer = try await browser.useLink(first)
        #expect(answer.status == .gone && answer.text.contains("This link does not work"))
        #expect(try await browser.useLink(second).status == .ok)
        #expect(try await browser.useLink(other).status == .ok)
    }

    @Test func `is ended by the change of the password that it would set`() async throws {
        let secret = try await server.link()
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.post("account/password", .newPassword(new, after: .anna)).status == .seeOther)
        #expect(try await server.newBrowser().useLink(secret, password: "eight slow snails").status == .gone)
        #expect(try await server.signsIn("anna", new))
    }

    @Test func `is ended by a lock of the person, also after it`() async throws {
        let secret = try await server.link()
        let browser = try await server.newBrowser()
        try await server.lock(.anna)
        #expect(try await browser.useLink(secret).text.contains("This link does not work"))
        let now = server.clock.date
        try await server.change { try Sessions($0).endAll(of: TestPerson.anna.subject, at: now) }
        try await server.lock(.anna, .active)
        #expect(try await browser.useLink(secret).status == .gone)
        #expect(try await server.signsIn("anna", TestPerson.anna.password.revealed))
    }

    // MARK: The page

    @Test func `is not in the address that a browser sends, and a GET uses nothing up`() async throws {
        let secret = try await server.link()
        #expect(secret.address(at: server.issuer) == "http://localhost:8080/link#\(secret.revealed)")
        let elsewhere = try Issuer("https://id.example/a")
        #expect(secret.address(at: elsewhere) == "https://id.example/a/link#\(secret.revealed)")
        let page = try await server.get("/link")
        #expect(page.status == .ok && page.headers[.referrerPolicy] == "same-origin")
        #expect(page.headers[.cacheControl] == "no-store")
        #expect(page.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
        #expect(try await server.get("/link/password").status == .methodNotAllowed)
        #expect(try await server.get("/link?link=\(secret.revealed)").text.contains("Paste the whole link"))
        #expect(try await server.newBrowser().useLink(secret).status == .ok)
    }

    @Test func `is stored as a digest alone`() async throws {
        let secret = try await server.link()
        let found = try await server.store.read { try $0.actionLinks.find(secret.digest) }
        #expect(found?.digest == secret.digest && "\(secret)".contains(secret.revealed) == false)
    }
}
