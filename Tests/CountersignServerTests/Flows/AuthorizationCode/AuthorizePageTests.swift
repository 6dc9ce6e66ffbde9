import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import Testing

@testable import CountersignServer

@Suite("The authorization endpoint", .server(withApps: true))
struct AuthorizePageTests {
    let server = TestServer.current

    @Test(arguments: TestApps.allCases.filter { $0 != .bank && $0 != .intranet })
    func `gives a code that is worth tokens, once the person approves`(app: TestApps) async throws {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.authorize(app.request)
        #expect(page.status == .ok)
        #expect(page.text.contains("The \(app.rawValue)"))
        let response = try await anna.authorize(app.request, answering: "approve")
        let answer = try #require(response.authorization)
        #expect(response.location?.hasPrefix(app.redirectURIs[0]) == true)
        #expect(answer.state == app.request.state)
        #expect(answer.issuer == server.issuer.text)
        let tokens = try await server.redeem(try #require(answer.code), as: app).json(TokenResponse.self)
        #expect(tokens.scope == Scope([.openid, .profile]))
        #expect(tokens.refreshToken != nil)
        #expect(try await server.honours(tokens.accessToken))
        let claims = try #require(tokens.idToken.flatMap { CompactJWS($0.revealed) }?.payload)
        let token = try JSONDecoder().decode(IDTokenClaims.self, from: Data(claims))
        #expect(token.nonce == "a nonce")
        #expect(token.audience == Audience([app.rawValue]))
        #expect(token.subject == TestPerson.anna.subject)
    }

    @Test func `tells the client that the person denied`() async throws {
        let anna = try await server.browser(of: .anna)
        let answer = try await anna.authorize(TestApps.shop.request, answering: "deny").authorization
        #expect(answer?.error == .accessDenied)
        #expect(answer?.state == TestApps.shop.request.state)
        // Nothing is remembered of a denial.
        #expect(try await anna.authorize(TestApps.shop.request).status == .ok)
    }

    // MARK: Whom it shows a page, and whom it redirects

    @Test(arguments: [
        "client_id=unknown&redirect_uri=https://shop.example/done",
        "client_id=tv&redirect_uri=https://shop.example/done",
        "client_id=shop&redirect_uri=https://shop.example/don",
        "client_id=shop&redirect_uri=https://shop.example/done/",
        "client_id=shop&redirect_uri=https://shop.example/done%3F",
        "client_id=shop&redirect_uri=https://shop.example/done%23fragment",
        "client_id=shop&redirect_uri=https://shop.example/done%3Fshop%3D2",
        "client_id=shop&redirect_uri=https://shop.example/done%3Fshop%3D1%26more",
        "client_id=shop&redirect_uri=https://SHOP.example/done",
        "client_id=shop&redirect_uri=http://shop.example/done",
        "client_id=shop&redirect_uri=https://shop.example:443/done",
        "client_id=shop&redirect_uri=https://shop.example@evil.example/done",
        "client_id=shop&redirect_uri=https://evil.example",
        "client_id=shop",
        "client_id=terminal&redirect_uri=http://localhost:4711/callback",
        "client_id=terminal&redirect_uri=http://127.0.0.1:4711/other",
        "client_id=terminal&redirect_uri=http://127.0.0.1:0/callback",
        "client_id=terminal&redirect_uri=http://127.0.0.1:99999/callback",
        "client_id=terminal&redirect_uri=http://127.0.0.1:80@evil.example/callback",
        "client_id=native&redirect_uri=org.example.native:/done2",
        "client_id=shop&client_id=shop&redirect_uri=https://shop.example/done",
        "client_id=shop&redirect_uri=https://shop.example/done&redirect_uri=https://shop.example/done",
        "redirect_uri=https://shop.example/done",
        "client_id=shop&redirect_uri=%ZZ",
        "",
    ])
    func `shows a page and goes nowhere for`(query: String) async throws {
        let anna = try await server.browser(of: .anna)
        let rest = "response_type=code&code_challenge_method=S256&scope=openid"
        let challenge = CodeChallenge(of: TestApps.verifier)
        let response = try await anna.get("authorize?\(query)&\(rest)&code_challenge=\(challenge)")
        #expect(response.status == .badRequest)
        #expect(response.headers[.location] == nil)
        #expect(response.headers[.contentType]?.hasPrefix("text/html") == true)
    }

    @Test(arguments: [
        ("response_type=token", OAuthError.Code.unsupportedResponseType),
        ("response_type=code+id_token", .unsupportedResponseType),
        ("", .invalidRequest),
        ("response_type=code&scope=admin", .invalidScope),
        ("response_type=code&scope=%22", .invalidScope),
        ("response_type=code&response_mode=fragment", .invalidRequest),
        ("response_type=code&prompt=none+login", .invalidRequest),
        ("response_type=code&prompt=dance", .invalidRequest),
        ("response_type=code&max_age=-1", .invalidRequest),
        ("response_type=code&request=a.b.c", .requestNotSupported),
        ("response_type=code&request_uri=https://evil.example", .requestURINotSupported),
        ("response_type=code&scope=openid&scope=openid", .invalidRequest),
        ("response_type=code&code_challenge=abc", .invalidRequest),
        ("response_type=code&dpop_jkt=abc", .invalidRequest),
        ("response_type=code&scope=openid&claims=%7B", .invalidRequest),
        ("response_type=code&scope=openid&claims=%7B%22id_token%22:1%7D", .invalidRequest),
        ("response_type=code&scope=openid&id_token_hint=a.b.c", .invalidRequest),
    ])
    func `tells the client by its address for`(query: String, error: OAuthError.Code) async throws {
        let anna = try await server.browser(of: .anna)
        var parameters = "client_id=shop&redirect_uri=https://shop.example/done&state=s&\(query)"
        if !query.contains("code_challenge") {
            parameters += "&code_challenge_method=S256&code_challenge=\(CodeChallenge(of: TestApps.verifier))"
        } else {
            parameters += "&code_challenge_method=S256"
        }
        let answer = try #require(try await anna.get("authorize?\(parameters)").authorization)
        #expect(answer.error == error)
        #expect(answer.state == "s")
        #expect(answer.issuer == server.issuer.text)
    }

    @Test(arguments: [
        "", "&code_challenge=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        "&code_challenge=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&code_challenge_method=plain",
        "&code_challenge_method=S256",
    ])
    func `demands a challenge by S256 of everybody`(challenge: String) async throws {
        let anna = try await server.browser(of: .anna)
        for app in [TestApps.shop, .phone] {
            let query = "client_id=\(app.rawValue)&redirect_uri=\(app.redirectURIs[0])&response_type=code"
            #expect(try await anna.get("authorize?\(query)\(challenge)").authorization?.error == .invalidRequest)
        }
    }

    @Test func `takes any port of a loopback address that is registered without one`() async throws {
        let anna = try await server.browser(of: .anna)
        for host in ["127.0.0.1", "[::1]"] {
            var request = TestApps.terminal.request
            request.redirectURI = "http://\(host):54321/callback"
            let response = try await anna.authorize(request, answering: "approve")
            #expect(response.location?.hasPrefix("http://\(host):54321/callback?code=") == true)
            let code = try #require(response.authorization?.code)
            let other = "http://\(host):54322/callback"
            #expect(try await server.redeem(code, as: .terminal, redirectURI: other).error == .invalidGrant)
            let redeemed = try await server.redeem(code, as: .terminal, redirectURI: request.redirectURI)
            #expect(redeemed.status == .ok)
        }
    }

    @Test func `adds its answer to a query that the address has`() async throws {
        let anna = try await server.browser(of: .anna)
        var request = TestApps.shop.request
        request.redirectURI = "https://shop.example/done?shop=1"
        let response = try await anna.authorize(request, answering: "approve")
        #expect(response.location?.hasPrefix("https://shop.example/done?shop=1&code=") == true)
    }

    @Test func `ignores words and parameters that it does not know`() async throws {
        let anna = try await server.browser(of: .anna)
        var form = TestApps.shop.request.form
        form["scope"] = "openid dance"
        form["new_parameter"] = "new value"
        form["claims"] = #"{"id_token":{"shoe_size":{"essential":true}},"more":1}"#
        #expect(try await anna.get("authorize?\(form.encoded)").status == .ok)
    }

    // MARK: Signing in first

    @Test func `sends a person who is not signed in to sign in, and comes back`() async throws {
        let stranger = try await server.newBrowser()
        var request = TestApps.shop.request
        request.loginHint = "anna"
        let login = try #require(try await stranger.authorize(request).location)
        #expect(login.hasPrefix("/login?"))
        let page = try await server.get(login, headers: [.cookie: stranger.cookie])
        #expect(page.field("username") == "anna")
        // The answer may lead straight to the app when the person allowed it before.
        #expect(
            page.headers[.contentSecurityPolicy]?.contains("form-action 'self' https:;") == true)
        let target = try #require(page.unescapedField("return_to"))
        let signedIn = try await stranger.post(
            "login",
            ["username": "anna", "password": TestPerson.anna.password.revealed, "return_to": target]
        )
        let location = try #require(signedIn.location)
        #expect(location.hasPrefix("/authorize?"))
        let consent = try await server.get(location, headers: [.cookie: try #require(signedIn.givenCookie)])
        #expect(consent.status == .ok)
        #expect(consent.text.contains("Anna Ek"))
    }

    @Test func `wants a new sign-in where the request demands one, and only one`() async throws {
        let anna = try await server.browser(of: .anna)
        var old = TestApps.shop.request
        old.prompts = [.login]
        var aged = TestApps.shop.request
        aged.maxAge = 60
        server.clock.advance(by: .seconds(61))
        for request in [old, aged] {
            let login = try #require(try await anna.authorize(request).location)
            #expect(login.hasPrefix("/login?"))
            let page = try await server.get(login, headers: [.cookie: anna.cookie])
            #expect(page.status == .ok)
            let target = try #require(page.unescapedField("return_to"))
            // Coming back without having signed in anew leads there again.
            let back = try await server.get(target, headers: [.cookie: anna.cookie])
            #expect(back.location?.hasPrefix("/login?") == true)
            server.clock.advance(by: .seconds(5))
            let again = try await server.browser(of: .anna)
            #expect(try await server.get(target, headers: [.cookie: again.cookie]).status == .ok)
            // The mark is for this request alone.
            let other = target.replacing("scope=openid", with: "scope=email")
            #expect(
                try await server.get(other, headers: [.cookie: again.cookie]).status
                    == (request == old ? .seeOther : .ok))
        }
    }

    @Test func `asks nothing with prompt=none`() async throws {
        var request = TestApps.shop.request
        request.prompts = [.none]
        #expect(try await server.newBrowser().authorize(request).authorization?.error == .loginRequired)
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.authorize(request).authorization?.error == .consentRequired)
        _ = try await anna.code(for: .shop)
        #expect(try await anna.authorize(request).authorization?.code != nil)
        request.maxAge = 10
        server.clock.advance(by: .seconds(11))
        #expect(try await anna.authorize(request).authorization?.error == .loginRequired)
    }

    @Test(.server(withApps: true) { $0.limits[.startPerAddress] = Limit(1, in: 600) })
    func `tells the client when too many ask, and when it may not ask any more`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await anna.code(for: .shop)
        #expect(try await anna.authorize(TestApps.shop.request).authorization?.error == .temporarilyUnavailable)
        server.clock.advance(by: .seconds(600))
        #expect(try await anna.authorize(TestApps.shop.request).authorization?.code != nil)
        try await server.change { repositories in
            var shop = try #require(try repositories.clients.find(TestApps.shop.request.client))
            shop.grantTypes = [.refreshToken]
            try repositories.clients.update(shop)
        }
        let refused = try await anna.authorize(TestApps.shop.request)
        #expect(refused.authorization?.error == .unauthorizedClient)
        #expect(refused.location?.hasPrefix("https://shop.example/") == true)
    }

    /// Standard: RFC 6749 §4.1.2.1.
    @Test func `tells the client of a failure of the server, and the person of their own mistakes`() {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        func told(_ failure: any Error) -> OAuthError.Code? {
            OAuthError(failedAuthorization: failure, telling: logger)?.code
        }
        #expect(told(StoreUnavailableError(.notDone, reason: "the disk is full")) == .temporarilyUnavailable)
        #expect(told(CancellationError()) == .temporarilyUnavailable)
        #expect(told(RateLimitError(.limit(.startPerClient), retryAfter: 9)) == .temporarilyUnavailable)
        #expect(told(UnexpectedFailure()) == .serverError)
        #expect(told(PageError.formExpired) == nil)
    }

    private struct UnexpectedFailure: Error {}

    // MARK: Consent

    @Test func `asks once for each word, and lets the person take it back`() async throws {
        let anna = try await server.browser(of: .anna)
        let code = try await anna.code(for: .shop)
        let tokens = try await server.redeem(code, as: .shop).json(TokenResponse.self)
        #expect(try await anna.authorize(TestApps.shop.request).authorization?.code != nil)
        var more = TestApps.shop.request
        more.scope = Scope([.openid, ScopeWord("play")])
        #expect(try await anna.authorize(more).status == .ok)
        var again = TestApps.shop.request
        again.prompts = [.consent]
        #expect(try await anna.authorize(again).status == .ok)
        #expect(try await server.browser(of: .bert).authorize(TestApps.shop.request).status == .ok)

        let account = try await anna.get("account")
        #expect(account.text.contains("Apps that you allowed"))
        let done = try await anna.post("account/withdraw", ["client": "shop"])
        #expect(done.location == "/account?done=withdrawn")
        #expect(try await !server.honours(tokens.accessToken))
        #expect(try await anna.authorize(TestApps.shop.request).status == .ok)
        #expect(try await anna.post("account/withdraw", ["client": "shop"]).location == "/account?done=nothing")
        #expect(try await server.audited(.consentWithdrawn).count == 1)
        #expect(try await server.audited(.signedOut).count == 1)
    }

    @Test func `ends what an app has that is not allowed any more, among more than a thousand sign-ins`() async throws {
        let anna = try await server.browser(of: .anna)
        let tokens = try await server.redeem(try await anna.code(for: .shop), as: .shop).json(TokenResponse.self)
        let later = server.clock.date + 1
        try await server.change { repositories in
            let first = try #require(try repositories.signIns.all(of: TestPerson.anna.subject).first)
            for number in 0..<1000 {
                let grant = Grant(
                    id: Grant.ID("later \(number)"), subject: TestPerson.anna.subject,
                    client: TestApps.phone.id, scope: .none, evidence: Evidence(), approved: later)
                try repositories.signIns.insert(
                    SignInRecord(
                        grant: grant, request: first.request, signedIn: later, lastUsed: later,
                        ends: later + 86_400))
            }
        }
        _ = try await anna.post("account/withdraw", ["client": "shop"])
        #expect(try await !server.honours(tokens.accessToken))
        #expect(try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject).count } == 1000)
    }

    /// The consent is looked up before the change that records the answer.
    @Test func `gives nothing for a consent that was withdrawn while the request was answered`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await anna.code(for: .shop)
        let services = server.server.services
        let arrival = AuthorizationArrival(query: TestApps.shop.request.form.encoded)
        guard case .good(let checked) = try await AuthorizationRequests(services: services).check(arrival) else {
            Issue.record("the request is good")
            return
        }
        let cookie = BrowserCookie(revealing: String(try #require(anna.cookie.split(separator: "=").last)))
        let visitor = try #require(try await server.server.pages.browsers.visitor(presenting: cookie).signedIn)
        let service = AuthorizationService(services: services)
        _ = try await service.decide(
            checked, AuthorizationService.Decision(.approve, by: visitor, on: nil), from: nil)
        _ = try await anna.post("account/withdraw", ["client": "shop"])
        let before = try await server.rows(of: "exchanges")
        await #expect(throws: ConsentWithdrawnError.self) {
            try await service.decide(
                checked, AuthorizationService.Decision(.approve, by: visitor, on: nil), from: nil)
        }
        #expect(try await server.rows(of: "exchanges") == before)
    }

    @Test(arguments: ["sign-out", "undo"])
    func `gives nothing for a code that an app held in reserve, once the person ended its sign-in`(
        way: String
    ) async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await server.redeem(try await anna.code(for: .shop), as: .shop).json(TokenResponse.self)
        let reserve = try #require(try await anna.authorize(TestApps.shop.request).authorization?.code)
        let signIns = try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }
        _ = try await anna.post("account/\(way)", ["grant": try #require(signIns.first).grant.id.rawValue])
        #expect(try await server.redeem(reserve, as: .shop).error == .invalidGrant)
        #expect(try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.isEmpty)
        #expect(try await server.audited(.consentWithdrawn).count == 1)
        #expect(try await server.audited(.signedOut).count == 1)
    }

    @Test(arguments: [TestApps.native, .terminal])
    func `always asks for an app that any program could name`(app: TestApps) async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await anna.code(for: app)
        #expect(try await anna.authorize(app.request).status == .ok)
        var silent = app.request
        silent.prompts = [.none]
        #expect(try await anna.authorize(silent).authorization?.error == .consentRequired)
    }

    @Test func `does not ask for an app of the organisation itself`() async throws {
        let anna = try await server.browser(of: .anna)
        let response = try await anna.authorize(TestApps.intranet.request)
        let code = try #require(response.authorization?.code)
        #expect(try await server.redeem(code, as: .intranet).status == .ok)
    }

    @Test func `asks again after an approval was undone or signed out`() async throws {
        let anna = try await server.browser(of: .anna)
        for path in ["account/undo", "account/sign-out"] {
            let code = try await anna.code(for: .shop)
            _ = try await server.redeem(code, as: .shop)
            let grant = try #require(try await anna.get("account").field("grant"))
            _ = try await anna.post(path, ["grant": grant])
            #expect(try await anna.authorize(TestApps.shop.request).status == .ok)
        }
    }

    @Test func `approves no more than the page showed, although the app changes its registration meanwhile`()
        async throws
    {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.authorize(TestApps.shop.request)
        let form: Form = [
            "authorization": page.unescapedField("authorization"), "decision": "approve",
        ]
        try await server.change { repositories in
            var shop = try #require(try repositories.clients.find(TestApps.shop.id))
            shop.name = "Your bank"
            try repositories.clients.update(shop)
        }
        let again = try await anna.post("authorize/decision", form)
        #expect(again.status == .conflict)
        #expect(again.location == nil)
        #expect(again.text.contains("Your bank") && again.text.contains("has changed since this page was opened"))
        // The request that the new page shows can be approved.
        let shown: Form = [
            "authorization": again.unescapedField("authorization"), "decision": "approve",
        ]
        #expect(try await anna.post("authorize/decision", shown).authorization?.code != nil)
    }

    @Test func `takes no decision that another site sends`() async throws {
        let anna = try await server.browser(of: .anna)
        let form: Form = ["authorization": TestApps.shop.request.form.encoded, "decision": "approve"]
        let foreign = try await anna.post("authorize/decision", form, headers: [.secFetchSite: "cross-site"])
        #expect(foreign.status == .forbidden)
        var forged = form
        forged["form_token"] = "another"
        #expect(try await anna.post("authorize/decision", forged).status == .forbidden)
        // The request that the page carried is checked again.
        var evil = TestApps.shop.request
        evil.redirectURI = "https://evil.example/"
        let changed: Form = ["authorization": evil.form.encoded, "decision": "approve"]
        #expect(try await anna.post("authorize/decision", changed).status == .badRequest)
    }

    // MARK: Ways of asking and answering

    @Test func `takes a request by POST, too`() async throws {
        let anna = try await server.browser(of: .anna)
        let posted = try await server.post("/authorize", TestApps.shop.request.form)
        #expect(posted.location == "/authorize?\(TestApps.shop.request.form.encoded)")
        #expect(try await server.get(try #require(posted.location), headers: [.cookie: anna.cookie]).status == .ok)
    }

    @Test func `posts its answer where the client wants a form`() async throws {
        let anna = try await server.browser(of: .anna)
        var request = TestApps.shop.request
        request.responseMode = .formPost
        let page = try await anna.authorize(request, answering: "approve")
        #expect(page.status == .ok)
        #expect(Markup(page.text).forms.contains { $0.form.attributes["action"]?.contains("shop.example") == true })
        let code = try #require(page.field("code"))
        #expect(page.field("iss") != nil)
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.contains("script-src '\(PostedAnswerView.scriptHash)'"))
        #expect(page.text.contains("<script>\(PostedAnswerView.script)</script>"))
        #expect(SecretDigest(of: PostedAnswerView.script).base64 == PostedAnswerView.scriptHash.dropFirst(7))
        #expect(try await server.redeem(AuthorizationCode(revealing: code), as: .shop).status == .ok)
    }
}

extension SecretDigest {
    fileprivate var base64: String { Data(bytes).base64EncodedString() }
}
