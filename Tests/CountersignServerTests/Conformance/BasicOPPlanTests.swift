import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A test for each module of the plan, with its name; the plan itself runs against a server with a public address.
///
/// The modules leave the proof key out. This server requires one of everybody (RFC 9700 §2.1.1), so every request here
/// has it, as `oidcc-ensure-request-with-valid-pkce-succeeds` has.
@Suite("The OpenID Foundation's basic OP plan", .server(withApps: true))
struct BasicOPPlanTests {
    let server = TestServer.current

    /// The results of a whole sign-in of Anna's for the shop.
    struct CompletedSignIn {
        let answer: AuthorizationResponse
        let tokens: TokenResponse
        let idToken: ReadToken
        let code: AuthorizationCode
    }

    /// Redeems the code of an answer.
    private func redeemed(_ response: TestResponse, on server: TestServer) async throws -> CompletedSignIn {
        let answer = try #require(response.authorization)
        let code = try #require(answer.code)
        let tokens = try await server.redeem(code, as: .shop).json(TokenResponse.self)
        let idToken = try await server.read(try #require(tokens.idToken).revealed)
        return CompletedSignIn(answer: answer, tokens: tokens, idToken: idToken, code: code)
    }

    /// The whole sign-in, with more parameters than the shop usually sends.
    private func signIn(_ anna: TestBrowser, _ more: [String: String] = [:]) async throws -> CompletedSignIn {
        var form = TestApps.shop.request.form
        for (name, value) in more { form[name] = value }
        let response = try await anna.get("authorize?\(form.encoded)")
        guard response.status == .ok else { return try await redeemed(response, on: anna.server) }
        return try await redeemed(try await anna.authorize(query: form.encoded), on: anna.server)
    }

    private func userInfo(_ tokens: TokenResponse, of server: TestServer) async throws -> TestResponse {
        try await server.get("/userinfo", headers: [.authorization: BearerHeader.value(for: tokens.accessToken)])
    }

    @Test func `oidcc-server`() async throws {
        let anna = try await server.browser(of: .anna)
        let signedIn = try await signIn(anna)
        #expect(signedIn.answer.state == TestApps.shop.request.state)
        #expect(signedIn.tokens.tokenType == "Bearer")
        #expect(signedIn.idToken.text("iss") == server.issuer.text)
        #expect(signedIn.idToken.text("aud") == "shop")
        #expect(signedIn.idToken.text("nonce") == "a nonce")
        #expect(signedIn.idToken.text("sub") == TestPerson.anna.subject.rawValue)
    }

    @Test func `oidcc-response-type-missing`() async throws {
        let anna = try await server.browser(of: .anna)
        var form = TestApps.shop.request.form
        form["response_type"] = nil
        let answer = try await anna.get("authorize?\(form.encoded)")
        #expect(answer.authorization?.error == .invalidRequest)
    }

    @Test func `oidcc-idtoken-signature`() async throws {
        let anna = try await server.browser(of: .anna)
        let signedIn = try await signIn(anna)
        #expect(signedIn.idToken.header.algorithm == "ES256")
        let metadata = try await server.get("/.well-known/openid-configuration")
            .json(AuthorizationServerMetadata.self)
        #expect(metadata.idTokenSigningAlgValuesSupported?.contains("RS256") == true)
    }

    @Test func `oidcc-userinfo-get`() async throws {
        let anna = try await server.browser(of: .anna)
        let signedIn = try await signIn(anna)
        let told = try await userInfo(signedIn.tokens, of: server).json(UserInfo.self)
        #expect(told.subject == TestPerson.anna.subject)
    }

    @Test func `oidcc-userinfo-post-header`() async throws {
        let anna = try await server.browser(of: .anna)
        let tokens = try await signIn(anna).tokens
        let header: HTTPFields = [.authorization: BearerHeader.value(for: tokens.accessToken)]
        #expect(try await server.send(.post, "/userinfo", headers: header).status == .ok)
    }

    @Test func `oidcc-userinfo-post-body`() async throws {
        let anna = try await server.browser(of: .anna)
        let tokens = try await signIn(anna).tokens
        let answer = try await server.post("/userinfo", ["access_token": tokens.accessToken.revealed])
        #expect(try answer.json(UserInfo.self).subject == TestPerson.anna.subject)
    }

    @Test func `oidcc-ensure-request-without-nonce-succeeds-for-code-flow`() async throws {
        let anna = try await server.browser(of: .anna)
        let signedIn = try await signIn(anna, ["nonce": ""])
        #expect(!signedIn.idToken.names.contains("nonce"))
    }

    @Test(arguments: [
        ("openid profile", ["name", "preferred_username"], "profile"),
        ("openid email", ["email", "email_verified"], "email"),
        ("openid address", [], "address"), ("openid phone", [], "phone"),
        ("openid profile email address phone", ["name", "preferred_username", "email", "email_verified"], "all"),
    ])
    func `oidcc-scope-profile, -email, -address, -phone, -all`(
        scope: String,
        claims: [String],
        module: String
    ) async throws {
        let anna = try await server.browser(of: .anna)
        let tokens = try await signIn(anna, ["scope": scope]).tokens
        let told = try await userInfo(tokens, of: server)
        #expect(told.members.isSuperset(of: claims + ["sub"]))
        // Scopes that are not served are not granted either, and the answer says so.
        #expect(tokens.scope?.words.allSatisfy { !["address", "phone"].contains($0.rawValue) } == true)
    }

    @Test func `oidcc-ensure-other-scope-order-succeeds`() async throws {
        let anna = try await server.browser(of: .anna)
        let signedIn = try await signIn(anna, ["scope": "email openid"])
        #expect(signedIn.idToken.text("email") == "anna@example.org")
    }

    @Test(arguments: ["page", "popup"])
    func `oidcc-display-page, -popup`(display: String) async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await signIn(anna, ["display": display])
    }

    @Test func `oidcc-prompt-login`() async throws {
        let anna = try await server.browser(of: .anna)
        let first = try await signIn(anna)
        server.clock.advance(by: .seconds(5))
        var form = TestApps.shop.request.form
        form["prompt"] = "login"
        let login = try await anna.get("authorize?\(form.encoded)")
        let again = try await anna.signInAgain(sentBy: login)
        let second = try await redeemed(try await again.browser.get("authorize?\(again.query)"), on: server)
        let (before, after) = (first.idToken.number("auth_time"), second.idToken.number("auth_time"))
        #expect(try #require(after) > (try #require(before)))
    }

    @Test func `oidcc-prompt-none-not-logged-in`() async throws {
        let _ = try await server.browser(of: .anna)
        var request = TestApps.shop.request
        request.prompts = [.none]
        let answer = try await server.newBrowser().authorize(request)
        #expect(answer.authorization?.error == .loginRequired)
    }

    @Test func `oidcc-prompt-none-logged-in`() async throws {
        let anna = try await server.browser(of: .anna)
        let first = try await signIn(anna)
        let second = try await signIn(anna, ["prompt": "none"])
        #expect(first.idToken.text("sub") == second.idToken.text("sub"))
        #expect(first.idToken.number("auth_time") == second.idToken.number("auth_time"))
    }

    @Test func `oidcc-max-age-1`() async throws {
        let anna = try await server.browser(of: .anna)
        let first = try await signIn(anna)
        server.clock.advance(by: .seconds(2))
        var form = TestApps.shop.request.form
        form["max_age"] = "1"
        let again = try await anna.signInAgain(sentBy: try await anna.get("authorize?\(form.encoded)"))
        let second = try await redeemed(try await again.browser.get("authorize?\(again.query)"), on: server)
        let (before, after) = (first.idToken.number("auth_time"), second.idToken.number("auth_time"))
        #expect(try #require(after) > (try #require(before)))
    }

    @Test func `oidcc-max-age-10000`() async throws {
        let anna = try await server.browser(of: .anna)
        let first = try await signIn(anna)
        server.clock.advance(by: .seconds(60))
        let second = try await signIn(anna, ["max_age": "10000"])
        #expect(second.idToken.number("auth_time") != nil)
        #expect(first.idToken.number("auth_time") == second.idToken.number("auth_time"))
    }

    @Test func `oidcc-ensure-request-with-unknown-parameter-succeeds`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await signIn(anna, ["extra": "foobar"])
    }

    @Test func `oidcc-id-token-hint`() async throws {
        let anna = try await server.browser(of: .anna)
        let first = try await signIn(anna)
        let hint = try #require(first.tokens.idToken).revealed
        let second = try await signIn(anna, ["prompt": "none", "id_token_hint": hint])
        #expect(first.idToken.text("sub") == second.idToken.text("sub"))
    }

    @Test func `oidcc-login-hint`() async throws {
        let anna = try await server.browser(of: .anna)
        var request = TestApps.shop.request
        request.loginHint = "anna"
        let login = try #require(try await server.newBrowser().authorize(request).location)
        #expect(login.contains("username=anna"))
        _ = try await signIn(anna, ["login_hint": "anna"])
    }

    @Test(arguments: ["ui_locales", "claims_locales"])
    func `oidcc-ui-locales, oidcc-claims-locales`(parameter: String) async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await signIn(anna, [parameter: "se"])
    }

    @Test func `oidcc-ensure-request-with-acr-values-succeeds`() async throws {
        let anna = try await server.browser(of: .anna)
        let metadata = try await server.get("/.well-known/openid-configuration")
            .json(AuthorizationServerMetadata.self)
        let values = try #require(metadata.acrValuesSupported).joined(separator: " ")
        let given = "urn:countersign:acr:password"
        #expect(values.contains(given))
        #expect(try await signIn(anna, ["acr_values": values]).idToken.text("acr") == given)
        #expect(try await signIn(anna, ["acr_values": "1 2"]).idToken.text("acr") == given)
    }

    @Test(arguments: [0, 30])
    func `oidcc-codereuse, oidcc-codereuse-30seconds`(delay: Int) async throws {
        let anna = try await server.browser(of: .anna)
        let signedIn = try await signIn(anna)
        server.clock.advance(by: .seconds(max(delay, 1)))
        #expect(try await server.redeem(signedIn.code, as: .shop).error == .invalidGrant)
        #expect(try await userInfo(signedIn.tokens, of: server).status == .unauthorized)
    }

    @Test func `oidcc-ensure-registered-redirect-uri`() async throws {
        let anna = try await server.browser(of: .anna)
        var request = TestApps.shop.request
        request.redirectURI = "https://shop.example/done/other"
        let response = try await anna.authorize(request)
        #expect(response.status == .badRequest)
        #expect(response.headers[.location] == nil)
    }

    @Test func `oidcc-ensure-post-request-succeeds`() async throws {
        let anna = try await server.browser(of: .anna)
        let posted = try await server.post("/authorize", TestApps.shop.request.form)
        let query = try #require(posted.location).drop { $0 != "?" }.dropFirst()
        _ = try await redeemed(try await anna.authorize(query: String(query)), on: server)
    }

    @Test func `oidcc-server-client-secret-post`() async throws {
        let anna = try await server.browser(of: .anna)
        let request = TokenRequest.authorizationCode(
            try await anna.code(for: .shop),
            redirectURI: TestApps.shop.redirectURIs[0],
            verifier: TestApps.verifier
        )
        #expect(TestApps.shop.credentials["client_secret"] != nil)
        #expect(try await server.post("/token", try request.form.with(TestApps.shop.credentials)).status == .ok)
    }

    @Test func `oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported`() async throws {
        let anna = try await server.browser(of: .anna)
        let signing = SigningApp(server: server)
        try await signing.register()
        let bare = try signing.object(header: #"{"alg":"none"}"#)
        let unsigned = String(bare.prefix(through: try #require(bare.lastIndex(of: "."))))
        #expect(try await anna.get("authorize?\(try signing.query(unsigned))").status == .badRequest)
        var form = TestApps.shop.request.form
        form["request"] = unsigned
        #expect(try await anna.get("authorize?\(form.encoded)").authorization?.error == .requestNotSupported)
    }

    @Test func `oidcc-claims-essential`() async throws {
        let anna = try await server.browser(of: .anna)
        let claims = #"{"userinfo":{"name":{"essential":true}}}"#
        let tokens = try await signIn(anna, ["scope": "openid", "claims": claims]).tokens
        #expect(try await userInfo(tokens, of: server).json(UserInfo.self).name == "Anna Ek")
    }

    @Test func `oidcc-ensure-request-object-with-redirect-uri`() async throws {
        let anna = try await server.browser(of: .anna)
        let signing = SigningApp(server: server)
        try await signing.register()
        let query = try signing.query(try signing.object())
        let response = try await anna.authorize(query: query)
        #expect(response.location?.hasPrefix(signing.redirectURI) == true)
        #expect(try await signing.redeem(response.authorization?.code).status == .ok)
    }

    @Test func `oidcc-refresh-token`() async throws {
        let anna = try await server.browser(of: .anna)
        let first = try await signIn(anna)
        server.clock.advance(by: .seconds(20))
        let request = TokenRequest.refresh(try #require(first.tokens.refreshToken), scope: .none)
        let tokens = try await server.post("/token", try request.form.with(TestApps.shop.credentials))
            .json(TokenResponse.self)
        #expect(tokens.accessToken != first.tokens.accessToken)
        let second = try await server.read(try #require(tokens.idToken).revealed)
        for name in ["iss", "sub", "aud", "acr"] { #expect(second.text(name) == first.idToken.text(name)) }
        #expect(second.number("auth_time") == first.idToken.number("auth_time"))
        // Another client cannot use it.
        let stolen = try request.form.with(TestApps.intranet.credentials)
        #expect(try await server.post("/token", stolen).error == .invalidGrant)
    }

    @Test func `oidcc-ensure-request-with-valid-pkce-succeeds`() async throws {
        let anna = try await server.browser(of: .anna)
        let code = try await anna.code(for: .shop)
        let other = CodeVerifier(revealing: String(repeating: "a", count: 43))
        let address = TestApps.shop.redirectURIs[0]
        let refused = try await server.redeem(code, as: .shop, redirectURI: address, verifier: other)
        #expect(refused.error == .invalidGrant)
        #expect(try await server.redeem(code, as: .shop).status == .ok)
    }
}
