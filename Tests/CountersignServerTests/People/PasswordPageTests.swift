import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The page for one's own password", .server)
struct PasswordPageTests {
    private let server = TestServer.current
    private let new = "seven slow snails"

    /// A form that is good, but for the given fields.
    private func form(_ fields: [String: String?] = [:]) -> Form {
        .newPassword(new, after: .anna).replacing(fields)
    }

    private func signsIn(_ password: String) async throws -> Bool {
        try await server.signsIn("anna", password)
    }

    private func isSignedIn(_ browser: TestBrowser) async throws -> Bool {
        try await browser.get("account").status == .ok
    }

    /// The same browser with the cookie that an answer gave.
    private func renewed(by answer: TestResponse) async throws -> TestBrowser {
        let cookie = try #require(answer.givenCookie)
        let account = try await server.get(server.path("account"), headers: [.cookie: cookie])
        return TestBrowser(server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
    }

    // MARK: Changing

    @Test func `changes it, ends the other browsers, and says so on the account page and in the audit`() async throws {
        let anna = try await server.browser(of: .anna)
        let other = try await server.browser(of: .anna)
        let bert = try await server.browser(of: .bert)
        let codes = try await server.ask()
        try await anna.decide("approve", codes)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        server.clock.advance(by: .seconds(10))

        let answer = try await anna.post("account/password", form())
        #expect(answer.location == "/account?done=password-changed")
        #expect(try await !signsIn(TestPerson.anna.password.revealed))
        #expect(try await signsIn(new))
        #expect(try await !isSignedIn(other))
        #expect(try await isSignedIn(bert))
        #expect(try await server.honours(tokens.accessToken))

        let account = try await renewed(by: answer).get("account?done=password-changed")
        #expect(account.text.contains("Your new password counts from now on."))
        #expect(account.text.contains("Your password was changed, <time"))
        #expect(account.text.contains("Last changed"))
        let audited = try await server.audited(.passwordChanged)
        #expect(audited.map(\.by) == [.person] && audited.map(\.detail) == ["signed out of other browsers"])
        #expect(audited.map(\.subject) == [TestPerson.anna.subject])
        #expect(try await server.audited(.loggedOut).map(\.detail) == ["the password was changed"])
        server.clock.advance(by: .seconds(86_400))
        let later = try await server.browser(of: .bert).get("account")
        #expect(!later.text.contains("Last changed"))
    }

    @Test func `gives the browser another cookie, so that a copy of the earlier one ends`() async throws {
        let anna = try await server.browser(of: .anna)
        let answer = try await anna.post("account/password", form())
        #expect(try await !isSignedIn(anna))
        #expect(try await isSignedIn(try await renewed(by: answer)))
        #expect(answer.headers[.setCookie]?.contains("Max-Age=") == true)
    }

    @Test func `keeps the other browsers where the person wants it`() async throws {
        let anna = try await server.browser(of: .anna)
        let other = try await server.browser(of: .anna)
        _ = try await anna.post("account/password", form(["end": "none"]))
        #expect(try await isSignedIn(other))
        #expect(try await signsIn(new))
    }

    @Test func `ends screens and apps, too, where the person wants it, and approvals that wait`() async throws {
        let anna = try await server.browser(of: .anna)
        let other = try await server.browser(of: .anna)
        let phone = try await server.authenticator()
        let codes = try await server.ask()
        try await anna.decide("approve", codes)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        let waiting = try await server.ask()
        try await anna.decide("approve", waiting)
        let answer = try await anna.post("account/password", form(["end": "all"]))
        #expect(try await !server.honours(tokens.accessToken))
        #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
        #expect(try await server.poll(waiting).error == .accessDenied)
        #expect(try await phone.inbox().status == .unauthorized)
        #expect(try await !isSignedIn(other))
        #expect(try await isSignedIn(try await renewed(by: answer)))
        #expect(try await server.rows(of: "devices") == 0)
    }

    @Test(arguments: ["browsers", "all"])
    func `tells all devices, also those that it signs out`(end: String) async throws {
        try await server.authenticator().registerForPush()
        let anna = try await server.browser(of: .anna)
        _ = try await anna.post("account/password", form(["end": end]))
        #expect(try await server.pushedChanges() == ["00ffa0"])
    }

    // MARK: Proof of the earlier one

    @Test func `asks for the earlier one, which counts like a sign-in when it is wrong`() async throws {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get("account/password")
        #expect(page.text.contains("autocomplete=\"current-password\""))
        let before = try #require(try await server.record(of: .anna).password)
        let wrong = try await anna.post("account/password", form(["password": "not mine at all"]))
        #expect(wrong.status == .forbidden && wrong.text.contains("Your current password is not right."))
        #expect(wrong.givenCookie == nil)
        #expect(try await anna.post("account/password", form(["password": nil])).status == .forbidden)
        let refusals = try await server.audited(.loginFailed)
        #expect(refusals.map(\.detail) == Array(repeating: "before a change of the password", count: 2))
        #expect(refusals.allSatisfy { $0.subject == TestPerson.anna.subject })
        #expect(try await server.record(of: .anna).password == before)
    }

    @Test(.server { $0.limits[.guessPerAddress] = Limit(3, in: 600) })
    func `ends guesses at an open browser by the limit of the sign-in`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        var statuses: [HTTPResponse.Status] = []
        for _ in 0..<5 {
            statuses.append(try await anna.post("account/password", form(["password": "a guess at it"])).status)
        }
        #expect(statuses.first == .forbidden && statuses.last == .tooManyRequests)
        let browser = try await server.newBrowser()
        let login = try await browser.post("login", ["username": "anna", "password": "a guess at it"])
        #expect(login.status == .tooManyRequests)
    }

    @Test func `comes after a new sign-in when that was not recent, and leads back`() async throws {
        let anna = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(301))
        let sent = try #require(try await anna.get("account/password").location)
        #expect(sent.hasPrefix("/login?again=recent"))
        #expect(try await server.get(sent, headers: [.cookie: anna.cookie]).field("return_to") == "/account/password")
        let posted = try await anna.post("account/password", form())
        #expect(posted.location == sent)
        #expect(try await signsIn(TestPerson.anna.password.revealed))
        let stranger = try await server.newBrowser()
        #expect(try await stranger.get("account/password").location?.hasPrefix("/login?return_to=") == true)
    }

    @Test func `asks for no earlier one after a sign-in by a passkey just now`() async throws {
        var phone = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 1).source)
        try await server.browser(of: .anna).addPasskey("My phone", with: &phone)
        let stranger = try await server.newBrowser()
        let answer = try await stranger.post(
            "login/passkey", ["credential": phone.get(try await stranger.signInOptions(), at: stranger.origin)])
        let anna = try await renewed(by: answer)
        #expect(try await !anna.get("account/password").text.contains("current-password"))
        let changed = try await anna.post("account/password", form(["password": nil]))
        #expect(changed.location == "/account?done=password-changed")
        #expect(try await signsIn(new))
    }

    @Test func `sets the first one of a person without`() async throws {
        var phone = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 1).source)
        try await server.browser(of: .anna).addPasskey("My phone", with: &phone)
        try await server.change(.anna) { $0.password = nil }
        let stranger = try await server.newBrowser()
        let answer = try await stranger.post(
            "login/passkey", ["credential": phone.get(try await stranger.signInOptions(), at: stranger.origin)])
        let anna = try await renewed(by: answer)
        #expect(try await anna.get("account").text.contains("Set a password"))
        #expect(try await anna.get("account/password").text.contains("<h1>Set a password</h1>"))
        #expect(try await anna.post("account/password", form()).location == "/account?done=password-changed")
        #expect(try await signsIn(new))
    }

    @Test func `is refused to a form that was begun before another change`() async throws {
        let anna = try await server.browser(of: .anna)
        let other = try await server.browser(of: .anna)
        let cookie = BrowserCookie(revealing: String(try #require(other.cookie.split(separator: "=").last)))
        let visitor = try #require(
            try await server.server.pages.browsers.visitor(presenting: cookie).signedIn)
        _ = try await anna.post("account/password", form(["end": "none"]))
        await #expect(throws: PersonChangedError.self) {
            _ = try await PasswordService(core: server.server.services.core).change(
                to: try #require(visitor.person.password), of: visitor, ending: .browsers, from: nil)
        }
        #expect(try await signsIn(new))
    }

    // MARK: The new one

    @Test(arguments: [
        ("short", "short", "too short"), ("dragon2024", "dragon2024", "first that others try"),
        ("Anna-2026", "Anna-2026", "others know"), ("countersign1", "countersign1", "others know"),
        ("seven slow snails", "seven slow snail", "are not the same"), ("seven slow snails", nil, "are not the same"),
        ("anna’s password", "anna’s password", "password"), (nil, nil, "too short"),
        (String(repeating: "äb ", count: 400), "x", "too long"),
    ])
    func `is refused when it is weak, or not typed twice, and nothing is counted`(
        first: String?, second: String?, words: String
    ) async throws {
        let anna = try await server.browser(of: .anna)
        let answer = try await anna.post(
            "account/password", form(["new_password": first, "new_password_again": second, "end": "none"]))
        #expect(answer.status == .unprocessableContent && answer.text.contains(words), "\(answer.text)")
        #expect(answer.text.contains("aria-describedby=\"end_none_hint\" checked"))
        if let first { #expect(!answer.text.contains("value=\"\(first)\"")) }
        #expect(try await server.audited(.loginFailed).isEmpty)
    }

    @Test func `is the same however its letters are composed`() async throws {
        let anna = try await server.browser(of: .anna)
        let composed = "sieben müde Igel"
        let answer = try await anna.post(
            "account/password",
            form(["new_password": "sieben mu\u{308}de Igel", "new_password_again": composed]))
        #expect(answer.location == "/account?done=password-changed")
        #expect(try await signsIn(composed))
    }

    // MARK: Password managers

    /// Standard: W3C A Well-Known URL for Changing Passwords §2, and Detecting the reliability of HTTP status codes §2.
    @Test(arguments: ["http://localhost:8080", "https://id.example/a"])
    func `is found at its well-known address, and nothing at the one that must not exist`(issuer: String) async throws {
        try await TestServer.open(issuer: issuer) { server in
            for path in Set(["/.well-known/change-password", server.path(".well-known/change-password")]) {
                let answer = try await server.get(path)
                #expect(answer.location == server.path("account/password"))
            }
            let none = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"
            #expect(try await server.get(none).status == .notFound)
        }
    }

    @Test func `names its fields as password managers expect`() async throws {
        let page = try await server.browser(of: .anna).get("account/password")
        let fields = Markup(page.text).all("input")
        func field(_ name: String) throws -> [String: String] {
            try #require(fields.first { $0.attributes["name"] == name }).attributes
        }
        #expect(try field("username")["autocomplete"] == "username" && field("username")["value"] == "anna")
        #expect(try field("password")["autocomplete"] == "current-password")
        for name in ["new_password", "new_password_again"] {
            #expect(try field(name)["autocomplete"] == "new-password")
            #expect(try field(name)["minlength"] == "8" && field(name)["passwordrules"] == "minlength: 8;")
            #expect(try field(name)["maxlength"] == nil)
        }
    }
}
