import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 10027 for the attacks.
@Suite("An attack on a browser that is signed in by a phone")
struct BrowserSignInAttackTests {
    private let home = TestScreenByLink.home
    private let elsewhere = TestScreenByLink.elsewhere

    /// Opens a link with the mark of this minute; returns the browser with the cookie that it gets.
    private func opening(
        _ tv: TestAskingBrowser, _ mark: String, _ phone: TestBrowser
    ) async throws -> TestBrowser {
        let page = try await phone.get("activate?user_code=\(tv.code())&at=\(mark)")
        let cookies = [phone.cookie, page.givenCookie].compactMap(\.self).joined(separator: "; ")
        return TestBrowser(server: phone.server, cookie: cookies, formToken: phone.formToken)
    }

    private func mark(_ tv: TestAskingBrowser) async throws -> String {
        let link = try #require(try await tv.stored().terms.freshLink)
        return link.mark(at: tv.server.clock.date).rawValue
    }

    @Test func `by a link that is shown elsewhere gets nothing without the number`() async throws {
        try await TestScreenByLink.behindProxy { server in
            // The attacker's browser asks, and the victim opens its link at home.
            let attacker = try await TestAskingBrowser.asking(server, at: elsewhere)
            let code = try await attacker.code()
            let victim = try await opening(attacker, try await mark(attacker), server.browser(of: .anna))
            let taken = try await victim.take(code: code, byLink: true, at: home)
            #expect(taken.location?.hasPrefix("/activate/confirm?") == true)
            #expect(try await victim.get("activate/confirm?user_code=\(code)").text.contains("name=\"number\""))
            let number = try #require(try await attacker.number())
            let wrong = TestScreenByLink.another(than: number)
            for guess in [nil, wrong] {
                let answer = try await victim.answer("approve", code: code, number: guess, at: home)
                #expect(answer.location?.hasSuffix("number=wrong") == true)
            }
            try await attacker.proceed()
            #expect(try await attacker.session() == nil)
        }
    }

    @Test func `is none where the person reads the number from the browser in front of them`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let tv = try await TestAskingBrowser.asking(server, at: elsewhere)
            let code = try await tv.code()
            let anna = try await opening(tv, try await mark(tv), server.browser(of: .anna))
            #expect(try await tv.number() == nil)
            try await anna.take(code: code, byLink: true, at: home)
            let page = try await tv.page().text
            #expect(page.contains("Your phone asks for a number."))
            try await anna.answer("approve", code: code, number: try await tv.number(), at: home)
            try await tv.proceed()
            let proofs = try await tv.session()?.opening?.grant.evidence.proofs ?? []
            #expect(proofs.contains(.linkOpened) && proofs.contains(.numberMatched))
        }
    }

    @Test func `by an old picture is refused after two minutes, in the same network too`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let tv = try await TestAskingBrowser.asking(server, at: home)
            let old = try await mark(tv)
            server.clock.advance(by: .seconds(121))
            let anna = try await opening(tv, old, server.browser(of: .anna))
            let taken = try await anna.take(code: try await tv.code(), byLink: true, at: home)
            #expect(taken.status == .unprocessableContent)
            #expect(taken.text.contains("a link or a picture is not enough"))
        }
    }

    @Test(.server) func `by another browser that shows the same code gets nothing`() async throws {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv)
        // The attacker has read the code, or has even stolen the cookie of the request.
        let code = try await TestAskingBrowser.asking(server)
        var cookies = code.cookies
        cookies["countersign-asking-8080"] = tv.cookies["countersign-asking-8080"]
        let attacker = try await TestAskingBrowser.opening(server, cookies: cookies)
        #expect(try await attacker.page().text.contains("has not asked to be signed in"))
        try await attacker.proceed()
        try await attacker.post("login/phone/cancel")
        #expect(try await attacker.session() == nil)
        try await tv.page()
        try await tv.proceed()
        #expect(try await tv.session()?.subject == TestPerson.anna.subject)
    }

    @Test(.server) func `by a cookie that was planted before gets nothing`() async throws {
        let server = TestServer.current
        let attacker = try await TestAskingBrowser.opening(server)
        let planted = attacker.cookies
        let victim = try await TestAskingBrowser.opening(server, cookies: planted)
        try await victim.start()
        try await server.browser(of: .anna).approve(victim)
        // The attacker knows the session cookie from before, not the code of the request that was started since.
        #expect(try await attacker.page().text.contains("has not asked to be signed in"))
        try await attacker.proceed()
        #expect(try await attacker.session() == nil)
        try await victim.page()
        try await victim.proceed()
        #expect(victim.cookies["countersign-8080"] != planted["countersign-8080"])
        #expect(try await attacker.session() == nil)
        #expect(try await victim.session()?.subject == TestPerson.anna.subject)
    }

    @Test(.server) func `by a form of another site starts, ends and redeems nothing`() async throws {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.opening(server)
        let foreign: HTTPFields = [.secFetchSite: "cross-site"]
        #expect(try await tv.post("login/phone", headers: foreign).status == .forbidden)
        #expect(try await server.rows(of: "exchanges") == 0)
        try await tv.get("login")
        try await tv.start()
        try await server.browser(of: .bert).approve(tv)
        for path in ["continue", "cancel"] {
            try await tv.page()
            #expect(try await tv.post("login/phone/\(path)", headers: foreign).status == .forbidden)
        }
        #expect(try await tv.session() == nil)
        #expect(try await tv.page().text.contains("Continue as"))
    }

    @Test(.server) func `by a stranger who approves first is seen, and refused with "Not you?"`() async throws {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.asking(server)
        let bert = try await server.browser(of: .bert)
        let result = String(try #require(try await bert.approve(tv).location).dropFirst())
        let page = try await tv.page().text
        #expect(page.contains("Continue as <bdi>Bert Öst</bdi>?") && page.contains("Not you?"))
        try await tv.post("login/phone/cancel")
        #expect(try await tv.page().text.contains("nobody is signed in"))
        try await tv.proceed()
        #expect(try await tv.session() == nil)
        #expect(try await bert.get(result).text.contains("The screen stopped asking"))
    }

    @Test(.server) func `by the code of the request at the token endpoint gets no token`() async throws {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv)
        let cookie = try #require(tv.cookies["countersign-asking-8080"].flatMap { BrowserRequestCookie($0) })
        for client in [TestClients.tv.form, ["client_id": Client.signInPage.id.rawValue]] {
            let form = try TokenRequest.deviceCode(cookie.code).form.with(client)
            let answer = try await server.post("/token", form)
            #expect(answer.error == .invalidGrant || answer.error == .invalidClient)
        }
        #expect(try await server.rows(of: "access_tokens") == 0)
    }

    @Test(
        .server,
        arguments: [
            "", ".", "a.", ".WDJB-MJHT", "WDJB-MJHT", "a.b.c", "unknown.WDJB-MJHT",
            String(repeating: "a", count: 300) + ".WDJB-MJHT",
        ])
    func `by a cookie that was made up finds no request`(cookie: String) async throws {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.opening(server)
        var cookies = tv.cookies
        cookies["countersign-asking-8080"] = cookie
        let attacker = try await TestAskingBrowser.opening(server, cookies: cookies)
        let page = try await attacker.page()
        #expect(page.status == .ok && page.text.contains("Show a code"))
        #expect(try await attacker.proceed().location?.hasPrefix("/login/phone?") == true)
        try await attacker.post("login/phone/cancel")
        #expect(try await attacker.session() == nil)
    }

    // MARK: Policy

    @Test(.server, arguments: [Policy.Standing.locked, .absent])
    func `by a person who was locked meanwhile gets nothing, and not after the lock either`(
        standing: Policy.Standing
    ) async throws {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv)
        try await tv.page()
        if standing == .absent {
            try await server.change { _ = try $0.people.remove(TestPerson.anna.subject) }
        } else {
            try await server.lock(.anna)
        }
        #expect(try await tv.page().text.contains("The sign-in was denied"))
        try await tv.proceed()
        #expect(try await tv.session() == nil)
        #expect(try await server.audited(.denied).map(\.by) == [AuditActor.server])
        if standing == .locked {
            try await server.lock(.anna, .active)
            try await tv.page()
            try await tv.proceed()
            #expect(try await tv.session() == nil)
        }
    }

    @Test(.server) func `by a person who was locked before the decision gets nothing`() async throws {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.asking(server)
        let code = try await tv.code()
        let anna = try await server.browser(of: .anna)
        try await anna.take(code: code)
        try await server.lock(.anna)
        #expect(try await anna.answer("approve", code: code).status == .forbidden)
        #expect(try await tv.page().text.contains("Scan this"))
    }

    @Test(.server) func `on what needs a sign-in in this browser is asked for it, and keeps the end of the session`()
        async throws
    {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv, session: "own")
        try await tv.proceed()
        let adding = try await tv.get("account/passkeys/add")
        #expect(adding.location?.hasPrefix("/login?again=recent") == true)
        let login = try await tv.get(String(try #require(adding.location).dropFirst()))
        // An approval on the phone would not be enough either.
        #expect(!login.text.contains("Sign in with your phone"))

        let other = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(other, session: "15m")
        try await other.proceed()
        let before = try #require(try await other.session())
        try await other.get("login?again=recent")
        try await other.post("login", ["username": "anna", "password": TestPerson.anna.password.revealed])
        let after = try #require(try await other.session())
        #expect(after.authentication == .password && after.id == before.id && after.expires == before.expires)
    }

    @Test(.server) func `by the phone of an administrator opens none of their pages`() async throws {
        let server = TestServer.current
        try await server.promote(.anna)
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv, session: "own")
        try await tv.proceed()
        #expect(try await tv.get("account").status == .ok)
        for page in ["admin/domains", "admin/sites"] {
            let opened = try await tv.get(page)
            #expect(opened.location?.hasPrefix("/login?again=administration") == true, "\(page): \(opened.status)")
            let login = try await tv.get(String(try #require(opened.location).dropFirst()))
            #expect(login.text.contains("Another device signed you in here."))
            #expect(!login.text.contains("Sign in with your phone"))
        }
        let added = try await tv.post("admin/domains/add", ["domain": "radio.example", "display_name": "Radio"])
        #expect(added.status == .forbidden)
        #expect(try await server.rows(of: "domains") == 0)
        try await tv.get("login?again=administration")
        try await tv.post("login", ["username": "anna", "password": TestPerson.anna.password.revealed])
        #expect(try await tv.get("admin/domains").status == .ok)
    }

    @Test(arguments: ["password", "recent", "second factor"])
    func `is no way around what a scope demands`(demand: String) async throws {
        let play = ScopeWord("play")
        try await TestServer.open(
            withApps: true,
            configuring: { settings in
                switch demand {
                case "password": settings.minimumEvidence = [play: ScopeDemands([.password])]
                case "recent": settings.minimumEvidence = [play: ScopeDemands([], within: 300)]
                default: settings.minimumEvidence = [play: ScopeDemands([.secondFactor])]
                }
            }
        ) { server in
            let tv = try await TestAskingBrowser.asking(server)
            try await server.browser(of: .anna).approve(tv)
            try await tv.proceed()
            var request = TestApps.shop.request
            request.scope = Scope([.openid, play])
            let page = try await tv.get("authorize?\(request.form.encoded)")
            switch demand {
            case "recent": #expect(page.location?.contains("again=scope") == true)
            case "password": #expect(page.location?.contains("again=way") == true)
            // She has no second factor, so that signing in again would not help.
            default: #expect(page.authorization?.error == .accessDenied)
            }
        }
    }

    /// Standard: OpenID Connect Core 1.0 §3.1.2.1 (`max_age`).
    @Test(.server, arguments: ["own", "15m"])
    func `is no authentication for a screen that names a max_age, until the person signs in there`(
        session: String
    ) async throws {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv, session: session)
        try await tv.proceed()
        let form = try TestClients.tv.form.with(["scope": "openid", "max_age": "3600"])
        let codes = try await server.post(server.path("device_authorization"), form)
            .json(DeviceAuthorizationResponse.self)
        func approve() async throws -> TestResponse {
            try await tv.get("account")
            try await tv.post("activate", ["user_code": codes.userCode.rawValue])
            return try await tv.post(
                "activate/decision", ["user_code": codes.userCode.rawValue, "decision": "approve"])
        }
        let sent = try await approve()
        #expect(sent.location?.hasPrefix("/login?again=") == true, "\(sent.status)")
        #expect(try await server.poll(codes).error == .authorizationPending)
        try await tv.get("login?again=scope")
        try await tv.post("login", ["username": "anna", "password": TestPerson.anna.password.revealed])
        #expect(try await approve().location?.hasPrefix("/activate/result") == true)
        server.clock.advance(by: .seconds(6))
        #expect(try await server.poll(codes).status == .ok)
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.password])] })
    func `is offered the sign-in in place of an approval that a password is demanded for`() async throws {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv, session: "15m")
        try await tv.proceed()
        let codes = try await server.ask(scope: "openid play")
        try await tv.get("account")
        try await tv.post("activate", ["user_code": codes.userCode.rawValue])
        let confirm = "activate/confirm?user_code=\(codes.userCode.rawValue)"
        let page = try await tv.get(confirm).text
        #expect(page.contains("their password or a passkey of this server") && page.contains("/login?again=way"))
        #expect(page.contains(#"value="deny""#) && !page.contains(#"value="approve""#) && !page.contains("<select"))
        try await tv.get("login?again=way")
        try await tv.post("login", ["username": "anna", "password": TestPerson.anna.password.revealed])
        let after = try await tv.get(confirm).text
        #expect(after.contains(#"value="approve""#) && !after.contains("/login?again=way"))
    }

    @Test(.server) func `by a session that ends soon opens none that ends later`() async throws {
        let server = TestServer.current
        let first = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(first, session: "15m")
        try await first.proceed()
        let end = try #require(try await first.session()?.expires)
        let second = try await TestAskingBrowser.asking(server)
        let code = try await second.code()
        try await first.get("account")
        try await first.post("activate", ["user_code": code])
        let answer = try await first.post(
            "activate/decision", ["user_code": code, "decision": "approve", "session": "own"])
        #expect(answer.location?.hasPrefix("/activate/result") == true)
        try await second.page()
        try await second.proceed()
        #expect(try await second.session()?.expires == end)
    }
}
