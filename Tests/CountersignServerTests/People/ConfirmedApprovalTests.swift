import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: Web Authentication Level 3 §7.2.
@Suite("An approval that a passkey confirms")
struct ConfirmedApprovalTests {
    private func open(_ test: @Sendable (TestServer, TestBrowser) async throws -> Void) async throws {
        let minimum = [ScopeWord("play"): ScopeDemands([.userVerified])]
        try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
            try await test(server, try await server.browser(of: .anna))
        }
    }

    private func page(_ codes: DeviceAuthorizationResponse, _ browser: TestBrowser) async throws -> TestResponse {
        try await browser.get("activate/confirm?user_code=\(codes.userCode)")
    }

    private func approve(_ codes: DeviceAuthorizationResponse, _ credential: String?, _ browser: TestBrowser)
        async throws
        -> TestResponse
    {
        var form: Form = ["user_code": codes.userCode.rawValue, "decision": "approve"]
        form["credential"] = credential
        return try await browser.post("activate/decision", form)
    }

    @Test func `is given by an assertion over this very request, and by nothing else`() async throws {
        try await open { server, anna in
            var phone = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 1).source)
            try await anna.addPasskey("phone", with: &phone)
            let codes = try await server.ask(scope: "openid play")
            let others = try await server.ask(scope: "openid play")
            try await anna.take(others)
            let foreign = try #require(
                try anna.options(try await page(others, anna), as: CredentialRequestOptions.self))
            try await anna.take(codes)
            let shown = try await page(codes, anna)
            #expect(shown.text.contains("only if you confirm it with your passkey"))
            #expect(shown.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
            let asked = try #require(try anna.options(shown, as: CredentialRequestOptions.self))
            #expect(asked.allowed.map(\.id) == [phone.id])

            let wrong: [String?] = [
                nil, "", "{}", phone.get(foreign, at: anna.origin),
                phone.get(try #require(try anna.options(try await server.newBrowser().get("login"))), at: anna.origin),
                phone.get(asked, at: "https://evil.test"),
            ]
            for (place, credential) in wrong.enumerated() {
                let answer = try await approve(codes, credential, anna)
                #expect(answer.status == .forbidden && answer.text.contains("Not confirmed"), "\(place)")
                #expect(try await server.poll(codes).error == .authorizationPending, "\(place)")
                server.clock.advance(by: .seconds(5))
            }
            let good = phone.get(asked, at: anna.origin)
            #expect(try await approve(codes, good, anna).location?.hasPrefix("/activate/result?") == true)
            let evidence = try await server.store.read { repositories in
                try repositories.exchanges.approved(by: TestPerson.anna.subject, at: server.clock.date, after: nil)
                    .first?.exchange
                    .grant?.evidence
            }
            #expect(evidence?.isUserVerified == true && evidence?.authentication?.how == .passkey)
            #expect(try await approve(others, good, anna).status == .forbidden, "it was used")
        }
    }

    @Test func `is not asked for where the scope does not want it, and a denial never is`() async throws {
        try await open { server, anna in
            let plain = try await server.ask(scope: "openid")
            try await anna.take(plain)
            #expect(try await !page(plain, anna).text.contains("passkey"))
            _ = try await anna.approve(try await server.ask(scope: "openid"))
            let codes = try await server.ask(scope: "openid play")
            try await anna.take(codes)
            let shown = try await page(codes, anna)
            #expect(shown.text.contains("you have none yet") && !shown.text.contains("passkey.js"))
            #expect(shown.text.contains("value=\"deny\"") && !shown.text.contains("value=\"approve\""))
            #expect(try await anna.answer("deny", codes).location?.hasPrefix("/activate/result?") == true)
        }
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.secondFactor])] })
    func `two factors are enough where only these are wanted`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask(scope: "openid play")
        try await anna.take(codes)
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode)").text
        #expect(page.contains("If you have neither, set one up") && page.contains("/login?again=way"))
        #expect(page.contains(#"value="deny""#) && !page.contains(#"value="approve""#))
        let refused = try await anna.answer("approve", codes)
        #expect(refused.status == .forbidden && refused.text.contains("a code after"))
        let (totp, _) = try await anna.setUpPasswords()
        server.clock.advance(by: .seconds(30))
        let browser = try await server.newBrowser()
        let entered = try await browser.type(
            totp.password(at: server.clock.date).revealed, at: try await browser.typePassword())
        let cookie = try #require(entered.givenCookie)
        let account = try await server.get("/account", headers: [.cookie: cookie])
        let sure = TestBrowser(
            server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
        _ = try await sure.approve(try await server.ask(scope: "openid play"))
    }
}

/// Standard: Web Authentication Level 3 §7.2; OpenID Connect Core 1.0 §3.1.2.4.
@Suite(
    "An authorization that a passkey confirms",
    .server(withApps: true) { $0.minimumEvidence = [.profile: ScopeDemands([.userVerified])] })
struct ConfirmedAuthorizationTests {
    let server = TestServer.current

    private func decide(_ page: TestResponse, _ credential: String?, _ browser: TestBrowser) async throws
        -> TestResponse
    {
        var form: Form = ["authorization": page.unescapedField("authorization"), "decision": "approve"]
        form["credential"] = credential
        return try await browser.post("authorize/decision", form)
    }

    @Test func `is offered with a passkey only, which is added on the way`() async throws {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.authorize(TestApps.shop.request)
        #expect(Markup(page.text).all("button").compactMap { $0.attributes["value"] } == ["deny"])
        #expect(try await decide(page, nil, anna).status == .forbidden, "it is sent all the same")

        let link = String(
            try #require(page.text.firstMatch(of: #/href="(/account/passkeys/add\?return_to=[^"]+)"/#)?.1))
        let offer = try await server.get(link, headers: [.cookie: anna.cookie])
        let target = try #require(offer.unescapedField("return_to"))
        #expect(target.hasPrefix("/authorize?") && offer.text.contains("Back to the sign-in"))
        var phone = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 1).source)
        let asked = try #require(try anna.options(offer, as: CredentialCreationOptions.self))
        let made = phone.create(asked, at: anna.origin)
        let form: Form = ["passkey_name": "phone", "credential": made, "return_to": target]
        #expect(try await anna.post("account/passkeys/add", form).location == target)
        let again = try await server.get(target, headers: [.cookie: anna.cookie])
        #expect(again.status == .ok)
        #expect(Markup(again.text).all("button").compactMap { $0.attributes["value"] } == ["deny", "approve"])

        server.clock.advance(by: .seconds(301))
        let late = try await server.get(link, headers: [.cookie: anna.cookie])
        #expect(late.location?.hasPrefix("/login?again=recent&return_to=%2Faccount%2Fpasskeys%2Fadd%3F") == true)
        let login = try await server.get(try #require(late.location), headers: [.cookie: anna.cookie])
        #expect(login.unescapedField("return_to") == link)
    }

    @Test func `is asked for each time, and is given by an assertion over this very request`() async throws {
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.authorize(TestApps.shop.request).text.contains("you have none yet"))
        var phone = SoftwareAuthenticator(drawingFrom: SeededRandom(seed: 1).source)
        try await anna.addPasskey("phone", with: &phone)
        for app in [TestApps.shop, .shop, .intranet] {
            let page = try await anna.authorize(app.request)
            #expect(page.status == .ok, "nobody is approved silently")
            #expect(page.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
            let asked = try #require(try anna.options(page, as: CredentialRequestOptions.self))
            var other = app.request
            other.state = "another"
            let foreign = try #require(
                try anna.options(try await anna.authorize(other), as: CredentialRequestOptions.self))
            for wrong in [
                nil, "{}", phone.get(foreign, at: anna.origin), phone.get(asked, at: "https://evil.test"),
            ] {
                let refused = try await decide(page, wrong, anna)
                #expect(refused.status == .forbidden && refused.text.contains("Not confirmed"))
                #expect(refused.text.contains("<title>Problem: "))
                #expect(refused.field("credential") != nil, "it is asked again")
            }
            let answer = try await decide(page, phone.get(asked, at: anna.origin), anna)
            let code = try #require(answer.authorization?.code)
            let tokens = try await server.redeem(code, as: app).json(TokenResponse.self)
            let claims = try #require(tokens.idToken.flatMap { CompactJWS($0.revealed) }?.payload)
            let token = try JSONDecoder().decode(IDTokenClaims.self, from: Data(claims))
            #expect(token.authenticationClass == "urn:countersign:acr:passkey")
            #expect(token.methods == ["pop", "user", "mfa"])
        }
    }
}
