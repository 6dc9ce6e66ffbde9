import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A browser that is signed in by a phone", .server)
struct BrowserSignInTests {
    let server = TestServer.current

    @Test func `shows a code, a picture and who asks, once it asked by a form`() async throws {
        let tv = try await TestAskingBrowser.opening(server)
        #expect(try await tv.get("login").text.contains("Sign in with your phone"))
        let before = try await tv.page()
        #expect(before.status == .ok && before.text.contains("Show a code"))
        #expect(try await server.rows(of: "exchanges") == 0)

        let started = try await tv.start()
        #expect(started.location == "/login/phone?return_to=%2Faccount")
        #expect(tv.cookies.keys.sorted() == ["countersign-8080", "countersign-asking-8080"])
        let given = try #require(started.headers[.setCookie])
        #expect(given.contains("; HttpOnly; SameSite=Lax; Max-Age=3900"))
        let page = try await tv.page()
        #expect(page.text.contains("localhost:8080/activate") && page.text.contains("<path d=\"M"))
        #expect(page.text.contains(TestAskingBrowser.software))
        #expect(page.text.contains("The code is valid for 5 minutes"))
        #expect(page.text.contains("<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>"))
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.contains("script-src 'self'") && policy.contains("connect-src 'self'"))
        #expect(page.headers[.cacheControl] == "no-store")
        #expect(try await server.rows(of: "exchanges") == 1)
        // Opening the page again starts nothing.
        #expect(try await tv.code() == tv.code())
        #expect(try await server.rows(of: "exchanges") == 1)
    }

    @Test(.server { $0.offersSignInWithPhone = false })
    func `is not offered a code, and finds no page, where the operator switched it off`() async throws {
        let login = try await server.get("/login").text
        #expect(!login.contains("Sign in with your phone") && !login.contains("Code from your phone"))
        for path in ["/login/phone", "/login/phone/continue", "/login/phone/cancel"] {
            #expect(try await server.get(path).status == .notFound)
            #expect(try await server.post(path, ["return_to": "/account"]).status == .notFound)
        }
    }

    @Test func `is told of on the page that asks, as this server's sign-in page`() async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let anna = try await server.browser(of: .anna)
        let code = try await tv.code()
        #expect(try await anna.take(code: code).location?.hasPrefix("/activate/confirm?") == true)
        let page = try await anna.get("activate/confirm?user_code=\(code)").text
        #expect(page.contains("The sign-in page of this server, in a browser"))
        #expect(page.contains("Is this browser in front of you?"))
        #expect(page.contains(TestAskingBrowser.software) && page.contains("The screen’s own words, not verified"))
        #expect(page.contains("see your account, approve sign-ins"))
        #expect(page.contains("value=\"1h\" selected"))
    }

    @Test func `gets a session of its own with what was proved, and a new cookie`() async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let before = tv.cookies["countersign-8080"]
        let anna = try await server.browser(of: .anna)
        let annas = try await server.session(of: .anna)
        server.clock.advance(by: .seconds(30))
        let result = try await anna.approve(tv, session: "15m")
        let page = try await anna.get(String(try #require(result.location).dropFirst()))
        #expect(page.text.contains("The browser that asked will be signed in as you."))
        let named = "The sign-in page of this server, in a browser"
        #expect(try await anna.get("account").text.contains("<strong><bdi>\(named)</bdi></strong>"))
        let id = try #require(result.location?.split(separator: "=").last)
        #expect(try await anna.get("account/request?id=\(id)").text.contains(named))

        // Nothing happens before the person at the browser sees as whom they go on.
        let asked = try await tv.page()
        #expect(asked.text.contains("Continue as <bdi>Anna Ek</bdi>?") && asked.text.contains("after 15 minutes"))
        #expect(try await tv.session() == nil)
        #expect(try await tv.proceed().location == "/account")

        let session = try #require(try await tv.session())
        #expect(tv.cookies["countersign-8080"] != before && tv.cookies["countersign-asking-8080"] == nil)
        #expect(session.subject == TestPerson.anna.subject && session.id != annas.id)
        #expect(session.authentication == .crossDevice && session.expires == server.clock.date + 900)
        // It is as old as the sign-in on the phone.
        #expect(session.authenticated == server.clock.date - 30)
        let opening = try #require(session.opening)
        #expect(opening.grant.ends == session.expires)
        guard case .browser(_, name: "Safari, iPhone")? = opening.answer?.place else {
            Issue.record("approved at \(String(describing: opening.answer))")
            return
        }
        let proofs = opening.grant.evidence.proofs
        #expect(proofs.contains(.codeTyped) && proofs.contains(.accountPassword(at: session.authenticated)))
        #expect(try await tv.get("account").text.contains("Anna Ek"))
        let audited = try await server.audited(.approved)
        #expect(audited.first?.client == Client.signInPage.id)
        #expect(audited.first?.detail?.contains("session: 15m") == true)
        #expect(try await server.audited(.signedIn).count == 1)
        // The code counts once.
        #expect(try await tv.proceed().status != .ok)
    }

    @Test(arguments: [("own", 12 * 3600.0), ("15m", 900), ("1h", 3600), ("8h", 28_800), (nil, 3600), ("year", 3600)])
    func `ends after the time that its approver chose, an hour without a choice`(
        chosen: String?, seconds: Double
    ) async throws {
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv, session: chosen)
        try await tv.proceed()
        let lifetime = chosen == "own" ? server.settings.browserSessionLifetime : seconds
        #expect(try await tv.session()?.expires == server.clock.date + lifetime)
        // The browser of others does not become one that the person is known in.
        #expect((tv.cookies["countersign-known-8080"] != nil) == (chosen == "own"))
        server.clock.advance(by: .seconds(lifetime))
        #expect(try await tv.get("account").location?.hasPrefix("/login?") == true)
    }

    @Test func `is suggested to be their own to a person who signed in there before, and to nobody else`() async throws
    {
        let tv = try await TestAskingBrowser.opening(server)
        try await tv.post("login", ["username": "anna", "password": TestPerson.anna.password.revealed])
        try await tv.get("account")
        try await tv.post("logout", ["confirmed": "yes"])
        try await tv.get("login")
        try await tv.start()
        let code = try await tv.code()
        for (person, suggested) in [(TestPerson.bert, "1h"), (.anna, "own")] {
            let phone = try await server.browser(of: person)
            try await phone.take(code: code)
            let page = try await phone.get("activate/confirm?user_code=\(code)").text
            #expect(page.contains("value=\"\(suggested)\" selected"))
        }
        // No cookie can be made of what is stored.
        let stored = try await server.dump().joined()
        #expect(!stored.contains(try #require(tv.cookies["countersign-known-8080"])))
    }

    @Test func `goes on to the app that asked`() async throws {
        let (app, created) = (TestApps.intranet, server.clock.date)
        try await server.change { try $0.clients.insert(app.record(created: created)) }
        let first = try await server.get(server.path("authorize?\(app.request.form.encoded)"))
        let query = try Form(parsing: Array(try #require(first.location?.split(separator: "?").last).utf8))
        let tv = try await TestAskingBrowser.asking(server, target: try #require(query["return_to"]))
        try await server.browser(of: .anna).approve(tv)
        let page = try await tv.page()
        #expect(page.headers[.contentSecurityPolicy]?.contains("form-action 'self' https:") == true)
        let back = try #require(try await tv.proceed().location)
        #expect(back.hasPrefix("/authorize?"))
        let answer = try await tv.get(String(back.dropFirst()))
        let code = try #require(answer.authorization?.code)
        let tokens = try await server.redeem(code, as: app).json(TokenResponse.self)
        let read = try await server.read(try #require(tokens.idToken).revealed)
        #expect(read.claims["amr"] as? [String] == ["mca"])
        #expect(read.text("acr") == AuthenticationClass.crossDevice.rawValue)
    }

    // MARK: Ends

    @Test func `says that it was denied, and can ask anew`() async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let code = try await tv.code()
        let anna = try await server.browser(of: .anna)
        try await anna.take(code: code)
        try await anna.answer("deny", code: code)
        #expect(try await tv.page().text.contains("The sign-in was denied on the other device"))
        #expect(try await tv.proceed().location?.hasPrefix("/login/phone") == true)
        #expect(try await tv.session() == nil)
        try await tv.start()
        #expect(try await tv.code() != code)
    }

    @Test(arguments: [false, true])
    func `says that its time is over, approved or not`(isApproved: Bool) async throws {
        let tv = try await TestAskingBrowser.asking(server)
        if isApproved { try await server.browser(of: .anna).approve(tv) }
        server.clock.advance(by: .seconds(300))
        #expect(try await tv.page().text.contains("Too late"))
        try await tv.proceed()
        #expect(try await tv.session() == nil)
    }

    @Test func `is cancelled by a form, and then nobody can approve it`() async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let code = try await tv.code()
        let anna = try await server.browser(of: .anna)
        try await anna.take(code: code)
        #expect(try await tv.get("login/phone/cancel").status == .methodNotAllowed)
        try await tv.post("login/phone/cancel")
        #expect(try await tv.page().text.contains("Cancelled"))
        #expect(try await anna.answer("approve", code: code).status == .gone)
        #expect(try await server.audited(.withdrawn).map(\.by) == [AuditActor.client])
        #expect(try await server.audited(.approved).isEmpty)
    }

    @Test func `has one request: a new one ends the earlier`() async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let first = try await tv.code()
        let anna = try await server.browser(of: .anna)
        try await tv.start()
        let second = try await tv.code()
        #expect(first != second)
        #expect(try await anna.take(code: first).status == .unprocessableContent)
        try await anna.take(code: second)
        #expect(try await anna.answer("approve", code: second).location?.hasPrefix("/activate/result") == true)
    }

    @Test func `asks no more often than a network may`() async throws {
        try await TestServer.open(configuring: { $0.limits[.startPerAddress] = Limit(2, in: 600) }) { server in
            let tv = try await TestAskingBrowser.opening(server)
            let statuses = [try await tv.start().status, try await tv.start().status, try await tv.start().status]
            #expect(statuses == [.seeOther, .seeOther, .tooManyRequests])
        }
    }

    // MARK: Holding

    @Test func `holds the request of its script until somebody answers`() async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let tag = try await tv.stored().pageTag(at: server.clock.date)
        #expect(try await tv.page(headers: [.ifNoneMatch: tag]).status == .notModified)
        let anna = try await server.browser(of: .anna)
        let code = try await tv.code()
        try await anna.take(code: code)
        let (server, cookie) = (self.server, tv.cookies.map { "\($0)=\($1)" }.joined(separator: "; "))
        async let held = server.get(
            "/login/phone", headers: [.cookie: cookie, .ifNoneMatch: tag, .prefer: "wait=25"])
        await server.clock.sleepers(1)
        try await anna.answer("approve", code: code)
        let answer = try await held
        #expect(answer.status == .ok && answer.text.contains("Continue as"))
    }

    @Test func `shows another picture each minute, at once where scripts run`() async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let first = try await tv.page().text
        let tag = try await tv.stored().pageTag(at: server.clock.date)
        let (server, cookie) = (self.server, tv.cookies.map { "\($0)=\($1)" }.joined(separator: "; "))
        server.clock.advance(by: .seconds(50))
        async let held = server.get(
            "/login/phone", headers: [.cookie: cookie, .ifNoneMatch: tag, .prefer: "wait=25"])
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(10))
        #expect(try await held.status == .ok)
        let second = try await tv.page().text
        func picture(_ page: String) -> String? {
            page.firstMatch(of: #/<path d="(M[^"]*)" fill="#000"/#).map { String($0.1) }
        }
        #expect(picture(first) != nil && picture(first) != picture(second))
    }

    // MARK: The account

    @Test func `is listed on the account, and signed out from the phone`() async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let anna = try await server.browser(of: .anna)
        try await anna.approve(tv)
        #expect(try await anna.get("account").text.contains("Not signed in yet"))
        try await tv.proceed()
        let account = try await anna.get("account").text
        #expect(account.contains("Browsers signed in from another device"))
        #expect(account.contains(TestAskingBrowser.software) && account.contains("Safari, iPhone"))
        // So is the answer, under the name of the page.
        #expect(account.contains("<strong><bdi>The sign-in page of this server, in a browser</bdi></strong>"))
        #expect(try await tv.get("account").text.contains("<strong>This browser</strong>"))
        let grant = try #require(try await tv.session()?.opening?.grant.id)

        let bert = try await server.browser(of: .bert)
        let others = try await bert.post("account/browsers/sign-out", ["grant": grant.rawValue])
        #expect(others.location == "/account?done=nothing")
        #expect(try await tv.session() != nil)
        let done = try await anna.post("account/browsers/sign-out", ["grant": grant.rawValue])
        #expect(done.location == "/account?done=signed-out")
        #expect(try await tv.session() == nil)
        #expect(try await !anna.get("account").text.contains("Browsers signed in from another device"))
    }

    @Test(arguments: [false, true])
    func `is signed out again by an undo within a minute`(isRedeemed: Bool) async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let anna = try await server.browser(of: .anna)
        let result = String(try #require(try await anna.approve(tv).location).dropFirst())
        if isRedeemed { try await tv.proceed() }
        let grant = try #require(try await anna.get(result).field("grant"))
        #expect(try await anna.post("account/undo", ["grant": grant]).location == "/account?done=undone")
        if !isRedeemed { try await tv.proceed() }
        #expect(try await tv.session() == nil)
    }

    @Test func `can no longer be undone after a minute, and is signed out instead`() async throws {
        let tv = try await TestAskingBrowser.asking(server)
        let anna = try await server.browser(of: .anna)
        try await anna.approve(tv)
        let stored = try await tv.server.store.read { [now = server.clock.date] in
            try $0.exchanges.approved(by: TestPerson.anna.subject, at: now, after: nil).first
        }
        let grant = try #require(stored?.exchange.grant?.id.rawValue)
        server.clock.advance(by: .seconds(61))
        #expect(try await anna.post("account/undo", ["grant": grant]).location == "/account?done=too-late")
        let done = try await anna.post("account/browsers/sign-out", ["grant": grant])
        #expect(done.location == "/account?done=signed-out")
        try await tv.proceed()
        #expect(try await tv.session() == nil)
    }
}
