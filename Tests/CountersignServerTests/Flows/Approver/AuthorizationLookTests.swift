import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A look at the authorization request of another app", .server(withApps: true))
struct AuthorizationLookTests {
    let server = TestServer.current

    @Test func `tells who asks, for what, where the answer goes, and how far that is known`() async throws {
        let phone = try await server.providersApp()
        let shop = try await phone.looked(at: .shop).response
        #expect(shop.client == .verified(TestApps.shop.id) && shop.clientName == .verified("The shop"))
        #expect(shop.redirectURI == "https://shop.example/done" && shop.accountName == TestPerson.anna.name)
        #expect(shop.scope == Scope([.openid, .profile]))
        #expect(shop.permissions.map(\.meaning).last == "See your name, user name, language and time zone")
        #expect(shop.challenge == CodeChallenge(of: TestApps.verifier))
        #expect(shop.mustAsk && !shop.isAllowedBefore)
        #expect(shop.expires == server.clock.date.numericDate + 300)
        // Any app may have the scheme of this one.
        let native = try await phone.looked(at: .native).response
        #expect(native.client == .asserted(TestApps.native.id) && native.clientName == .asserted("The native"))
        #expect(native.mustAsk && native.nonce != shop.nonce && native.exchange != shop.exchange)
    }

    @Test(arguments: [
        "client_id=unknown&redirect_uri=https://shop.example/done",
        "client_id=tv&redirect_uri=https://shop.example/done",
        "client_id=shop&redirect_uri=https://shop.example/don",
        "client_id=shop&redirect_uri=https://SHOP.example/done",
        "client_id=shop&redirect_uri=https://evil.example",
        "client_id=native&redirect_uri=org.example.native:/done2",
        "client_id=shop&client_id=shop&redirect_uri=https://shop.example/done",
        "client_id=shop&request_uri=urn:ietf:params:oauth:request_uri:unknown",
        "redirect_uri=https://shop.example/done",
        "client_id=shop&redirect_uri=%ZZ",
    ])
    func `gives no address to open for`(query: String) async throws {
        let phone = try await server.providersApp()
        let rest = "response_type=code&code_challenge_method=S256&scope=openid"
        let challenge = CodeChallenge(of: TestApps.verifier)
        let answer = try await phone.look(at: "\(query)&\(rest)&code_challenge=\(challenge)")
        #expect(answer.status == .ok && answer.text == #"{"outcome":"unanswerable"}"#)
        #expect(try await server.rows(of: "decision_nonces") == 0)
    }

    @Test(arguments: [
        ("response_type=token", OAuthError.Code.unsupportedResponseType),
        ("response_type=code&scope=admin", .invalidScope),
        ("response_type=code&prompt=none+login", .invalidRequest),
        ("response_type=code&prompt=none", .consentRequired),
        ("response_type=code&prompt=none&max_age=0", .loginRequired),
    ])
    func `gives the address that tells the client for`(query: String, error: OAuthError.Code) async throws {
        let phone = try await server.providersApp()
        let challenge = "code_challenge_method=S256&code_challenge=\(CodeChallenge(of: TestApps.verifier))"
        let parameters = "client_id=shop&redirect_uri=https://shop.example/done&state=s&\(query)&\(challenge)"
        guard case .answer(let location, redirectURI: let redirectURI) = try await phone.told(parameters) else {
            Issue.record("no answer")
            return
        }
        #expect(redirectURI == "https://shop.example/done" && location.isAnswer(to: .authorization, at: redirectURI))
        #expect(location.response?.error == error && location.response?.state == "s")
        #expect(location.response?.issuer == server.issuer.text)
    }

    @Test(arguments: ["prompt=login", "prompt=select_account", "max_age=0", "response_mode=form_post"])
    func `leaves to the browser what only a browser can do`(wish: String) async throws {
        let phone = try await server.providersApp()
        let parameters = "\(TestApps.shop.request.form.encoded)&\(wish)"
        #expect(try await phone.told(parameters) == .browser)
    }

    @Test func `leaves it to the browser once the person signed the app in too long ago`() async throws {
        let phone = try await server.providersApp()
        let parameters = "\(TestApps.shop.request.form.encoded)&max_age=60"
        #expect(try await phone.looked(at: parameters).response.mustAsk)
        server.clock.advance(by: .seconds(60))
        #expect(try await phone.told(parameters) == .browser)
    }

    @Test func `tells what was allowed before, and asks all the same where any app could be the one that asks`()
        async throws
    {
        let phone = try await server.providersApp()
        for app in [TestApps.shop, .native] {
            #expect(try await phone.decide(.remember, app.request.form.encoded).status == .ok)
            let look = try await phone.looked(at: app).response
            #expect(look.isAllowedBefore && look.mustAsk == (app == .native))
            let again = try await phone.looked(at: "\(app.request.form.encoded)&prompt=consent").response
            #expect(again.isAllowedBefore && again.mustAsk)
        }
        // The provider's own organisation needs no consent.
        #expect(try await phone.looked(at: .intranet).response.mustAsk == false)
        let silent = "\(TestApps.shop.request.form.encoded)&prompt=none"
        #expect(try await phone.looked(at: silent).response.mustAsk == false)
    }

    @Test func `uses up no pushed request`() async throws {
        let phone = try await server.providersApp()
        var form = TestApps.bank.request.form
        form["client_secret"] = TestApps.bank.secret?.revealed
        let pushed = try await server.post("/par", form).json(PushedAuthorizationResponse.self)
        let reference = Form(dictionaryLiteral: ("client_id", "bank"), ("request_uri", pushed.requestURI)).encoded
        _ = try await phone.looked(at: reference)
        let looked = try await phone.looked(at: reference)
        let answer = try await phone.send(phone.claims(on: looked), on: reference)
        let code = try #require(try answer.confirmation.location?.response?.code)
        #expect(try await server.redeem(code, as: .bank).status == .ok)
        #expect(try await phone.told(reference) == .unanswerable)
        // A request in the clear is not enough for this client.
        guard case .answer = try await phone.told(TestApps.bank.request.form.encoded) else {
            Issue.record("not refused")
            return
        }
    }

    @Test(arguments: ["approver/look", "approver/decide"])
    func `is for apps with the scope nearby_approve only, and needs its parameters`(path: String) async throws {
        func answer(_ token: AccessToken?) async throws -> TestResponse {
            var headers: HTTPFields = [:]
            headers[.authorization] = token.map { BearerHeader.value(for: $0) }
            return try await server.post(server.path(path), Form(), headers: headers)
        }
        #expect(try await answer(nil).status == .unauthorized)
        #expect(try await answer(AccessToken(revealing: "wrong")).status == .unauthorized)
        #expect(try await answer(try await server.signedIn().accessToken).status == .forbidden)
        #expect(try await answer(try await server.providersApp(scope: "openid").token).status == .forbidden)
        let malformed = try await answer(try await server.providersApp().token)
        #expect(malformed.status == .badRequest && malformed.error == .invalidRequest)
    }

    @Test(.server(withApps: true) { $0.limits[.approverPerAccount] = Limit(2, in: 60) })
    func `is held to limits for each account, and forgotten after five minutes`() async throws {
        let (annas, berts) = (try await server.providersApp(), try await server.providersApp(of: .bert))
        _ = try await annas.looked(at: .shop)
        #expect(try await annas.told("client_id=unknown") == .unanswerable)
        #expect(try await annas.look(at: TestApps.shop.request.form.encoded).status == .tooManyRequests)
        _ = try await berts.looked(at: .shop)
        #expect(try await server.rows(of: "decision_nonces") == 2)
        server.clock.advance(by: .seconds(301))
        try await server.maintenance().sweep()
        #expect(try await server.rows(of: "decision_nonces") == 0)
    }
}
