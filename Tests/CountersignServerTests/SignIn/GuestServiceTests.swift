import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A service that acts for a person", .server)
struct GuestServiceTests {
    let server = TestServer.current

    // MARK: Its time

    @Test(arguments: [TestClients.tv, .radio])
    func `has tokens that do not outlive its end, and goes on by refreshing until then`(client: TestClients)
        async throws
    {
        var tokens = try await server.acting(for: server.service(for: 5000), as: client)
        #expect(tokens.authorizationExpiresIn == 5000)
        server.clock.advance(by: .seconds(4900))
        tokens = try await server.refresh(tokens.refreshToken, as: client).json(TokenResponse.self)
        #expect(tokens.authorizationExpiresIn == 100 && tokens.expiresIn == 100)
        let token = try #require(tokens.refreshToken)
        server.clock.advance(by: .seconds(99))
        #expect(try await server.honours(tokens.accessToken))
        server.clock.advance(by: .seconds(1))
        #expect(try await !server.honours(tokens.accessToken))
        let refused = try await server.refresh(token, as: client).json(OAuthErrorResponse.self)
        #expect(refused.error == .invalidGrant)
    }

    @Test(arguments: [(SessionTerm.quarterHour, 900), (.workday, 28_800), (.own, 86_400)])
    func `acts for the shorter time that the person chooses`(term: SessionTerm, seconds: Int) async throws {
        #expect(try await server.acting(session: term).authorizationExpiresIn == seconds)
    }

    @Test(arguments: [SessionTerm.hour, .workday, .remembered])
    func `never acts for longer than it asked`(term: SessionTerm) async throws {
        #expect(try await server.acting(for: server.service(for: 1800), session: term).authorizationExpiresIn == 1800)
    }

    @Test func `ends at the end that it asked, however late it fetches its tokens`() async throws {
        try await server.change(.tv) { $0.lifetimes = Lifetimes(code: 1800) }
        let codes = try await server.ask(for: server.service(for: 600))
        try await server.browser(of: .anna).decide("approve", codes)
        server.clock.advance(by: .seconds(601))
        #expect(try await server.poll(codes).json(OAuthErrorResponse.self).error == .accessDenied)
    }

    /// A node of an earlier version approves without an end.
    @Test func `ends also where the grant has no end`() async throws {
        let codes = try await server.ask(for: server.service(for: 3600))
        try await server.browser(of: .anna).decide("approve", codes)
        try await server.change { repositories in
            var stored = try #require(try repositories.exchanges.find(codes.deviceCode.digest))
            guard case .approved(var grant, by: let approver, over: let link) = stored.exchange.state else {
                throw OAuthError(.serverError, because: "not approved")
            }
            grant.ends = nil
            stored.exchange = SignInExchange(
                restoring: stored.exchange.request, in: .approved(grant, by: approver, over: link))
            try repositories.exchanges.update(stored)
        }
        #expect(try await server.poll(codes).json(TokenResponse.self).authorizationExpiresIn == 3600)
    }

    // MARK: Its request

    private static let malformed: [(purpose: String?, until: String?)] = [
        ("backup", nil), (nil, "1"), ("\u{202E}\u{7}", "1"), ("backup", "tomorrow"), ("backup", "-5"),
        ("backup", "1e9"), ("backup", "0"), ("backup", "1"), ("backup", "99999999999999999999"),
    ]

    @Test(.server(withApps: true), arguments: malformed)
    func `is refused with invalid_request where purpose or end are bad`(purpose: String?, until: String?) async throws {
        let server = TestServer.current
        let desk = try await TestBackchannelClient.add(to: server)
        let service: Form = ["service_purpose": purpose, "service_until": until]
        let byCode = try await server.post(
            server.path("device_authorization"), try TestClients.tv.form.with(["scope": "openid"]).with(service))
        #expect(byCode.status == .badRequest)
        #expect(try byCode.json(OAuthErrorResponse.self).error == .invalidRequest)
        var changes: [String: String] = [:]
        changes["service_purpose"] = purpose
        changes["service_until"] = until
        #expect(try await desk.ask(changes).json(OAuthErrorResponse.self).error == .invalidRequest)
        let asked = try TestApps.shop.request.form.with(service)
        let pushed = try await server.post(server.path("par"), try asked.with(TestApps.shop.secretOnly))
        #expect(try pushed.json(OAuthErrorResponse.self).error == .invalidRequest)
        let answer = try await server.browser(of: .anna).get("authorize?\(asked.encoded)")
        #expect(answer.authorization?.error == .invalidRequest)
    }

    @Test func `may ask for as long as the server lets it, and for no second more`() async throws {
        let longest = TimeInterval(2_592_000)
        #expect(try await server.acting(for: server.service(for: longest)).authorizationExpiresIn == Int(longest))
        var asked = DeviceAuthorizationRequest(scope: .none)
        asked.service = server.service(for: longest + 1)
        let refused = try await server.post(
            server.path("device_authorization"), try asked.form.with(TestClients.tv.form))
        #expect(try refused.json(OAuthErrorResponse.self).error == .invalidRequest)
        let metadata = try await server.get("/.well-known/openid-configuration").json(AuthorizationServerMetadata.self)
        #expect(metadata.serviceMaxLifetime == Int(longest))
    }

    @Test(.server(configuring: { $0.longestService = 0 })) func `is none where the server lets none act`() async throws
    {
        let server = TestServer.current
        var asked = DeviceAuthorizationRequest(scope: .none)
        asked.service = server.service()
        let refused = try await server.post(
            server.path("device_authorization"), try asked.form.with(TestClients.tv.form))
        #expect(try refused.json(OAuthErrorResponse.self).error == .invalidRequest)
        let metadata = try await server.get("/.well-known/openid-configuration").json(AuthorizationServerMetadata.self)
        #expect(metadata.serviceMaxLifetime == nil)
    }

    // MARK: Its pages

    @Test func `is shown with its purpose and end to the person who decides`() async throws {
        let service = server.service("backup <on> nas", for: 30_000)
        let codes = try await server.ask(for: service)
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode.rawValue)").text
        #expect(page.contains("A program asks to act for you") && page.contains("backup &lt;on&gt; nas"))
        #expect(page.contains("Did you start this yourself, just now?"))
        #expect(!page.contains("in front of you") && !page.contains("A screen asks"))
        let end = TimeDisplay(service.ends, at: server.clock.date).text.english
        #expect(page.contains("Until \(end), as it asks"))
        let values = page.matches(of: #/<option value="([^"]+)"( selected)?>/#)
        #expect(values.map { String($0.1) } == ["own", "15m", "1h", "8h"])
        #expect(values.filter { $0.2 != nil }.map { String($0.1) } == ["own"])
    }

    @Test func `is named with its end when it is approved, and is said to be on no screen`() async throws {
        let codes = try await server.ask(for: server.service(for: 30_000))
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let result = try #require(try await anna.answer("approve", codes).location)
        let page = try await anna.get(String(result.dropFirst())).text
        let end = TimeDisplay(server.clock.date + 30_000, at: server.clock.date).text.english
        #expect(page.contains("will act for you until \(end), for “") && page.contains("backup on nas"))
        #expect(page.contains("The program goes on by itself") && !page.contains("on that screen"))
    }

    @Test func `is on the account page in a list of its own, and ends there at once`() async throws {
        let tokens = try await server.acting()
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get("account")
        #expect(page.text.contains("Services that act for you") && page.text.contains("backup on nas"))
        let end = (server.clock.date + 86_400).formatted(.iso8601)
        #expect(page.text.contains(#"<time datetime="\#(end)">"#))
        #expect(page.text.contains("No screen is signed in as you."))
        let record = try #require(try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.first)
        let ended = try await anna.post("account/sign-out", ["grant": record.grant.id.rawValue])
        #expect(ended.location == "/account?done=service-ended")
        #expect(try await !server.honours(tokens.accessToken))
        #expect(
            try await server.refresh(tokens.refreshToken).json(OAuthErrorResponse.self).error == .invalidGrant)
        #expect(try await !anna.get("account").text.contains("Services that act for you"))
    }

    @Test func `is in the audit, the history and the export`() async throws {
        _ = try await server.acting()
        let end = (server.clock.date + 86_400).formatted(.iso8601)
        let detail = try #require(try await server.audited(.approved).last?.detail)
        #expect(detail.contains("service: backup on nas, until \(end)"))
        let anna = try await server.browser(of: .anna)
        let record = try #require(try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.first)
        #expect(try await anna.get("account/request?id=\(record.request.id)").text.contains("backup on nas"))
        let export = try await anna.post("account/export", [:])
        let json = try #require(try JSONSerialization.jsonObject(with: Data(export.text.utf8)) as? [String: Any])
        let signIn = try #require((json["sign_ins"] as? [[String: Any]])?.first)
        #expect(signIn["service"] as? String == "backup on nas" && signIn["ends"] as? String == end)
    }

    // MARK: Its limits

    @Test func `goes on when the person signs out of the browser, and ends when they sign out everywhere`() async throws
    {
        let codes = try await server.ask(for: server.service())
        let anna = try await server.browser(of: .anna)
        try await anna.decide("approve", codes)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        _ = try await anna.post("logout", ["confirmed": "yes"])
        #expect(try await server.honours(tokens.accessToken))
        _ = try await server.people().signOutEverywhere(TestPerson.anna.subject)
        #expect(try await !server.honours(tokens.accessToken))
    }

    @Test func `rests while the person is locked`() async throws {
        let tokens = try await server.acting()
        try await server.lock(.anna)
        #expect(try await !server.honours(tokens.accessToken))
        #expect(
            try await server.refresh(tokens.refreshToken).json(OAuthErrorResponse.self).error == .accessDenied)
    }

    @Test func `is no screen that remembers its person`() async throws {
        let token = try #require(try await server.acting(session: .remembered).idToken)
        #expect(try await server.store.read { try $0.rememberedScreens.all(of: TestPerson.anna.subject) } == [])
        let codes = try await server.ask(
            for: server.service(), ["scope": "openid", "id_token_hint": token.revealed])
        #expect(codes.isRemembered == false)
    }

    @Test func `is not tied to the screen that remembers its person`() async throws {
        let token = try #require(try await server.signedIn(scope: "openid", session: .remembered).idToken)
        let codes = try await server.ask(
            for: server.service(), ["scope": "openid", "id_token_hint": token.revealed])
        #expect(codes.isRemembered == true)
        try await server.browser(of: .anna).decide("approve", codes, session: .remembered)
        _ = try await server.poll(codes).json(TokenResponse.self)
        let records = try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }
        let service = try #require(records.first { $0.request.service != nil })
        #expect(service.grant.screen == nil && service.grant.ends == server.clock.date + 86_400)
    }

    @Test func `approves nothing, whatever its scope`() async throws {
        let phone = try await server.phone()
        let screen = try await server.screenNearby(scope: "openid")
        #expect(try await phone.look(at: screen).status == .ok)
        var asked = DeviceAuthorizationRequest(scope: Scope([.nearbyApprove]))
        asked.service = server.service()
        let client: Form = ["client_id": TestServer.phoneApp.rawValue]
        let codes = try await server.post(server.path("device_authorization"), try asked.form.with(client))
            .json(DeviceAuthorizationResponse.self)
        try await server.browser(of: .anna).decide("approve", codes)
        let form = try TokenRequest.deviceCode(codes.deviceCode).form.with(client)
        let tokens = try await server.post(server.path("token"), form).json(TokenResponse.self)
        let program = TestApprover(server: server, token: tokens.accessToken)
        #expect(tokens.scope == Scope([.nearbyApprove]))
        #expect(try await program.look(at: screen).status == .forbidden)
    }

    // MARK: Other ways in

    @Test(.server(withApps: true)) func `is asked about each time by a browser, and is no consent`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        _ = try await anna.code(for: .shop)
        var request = TestApps.shop.request
        request.service = server.service()
        let page = try await anna.authorize(request)
        #expect(page.status == .ok && page.text.contains("backup on nas") && page.text.contains(#"name="session""#))
        #expect(!page.text.contains("this app need not ask again"))
        var silent = request
        silent.prompts = [.none]
        #expect(try await anna.authorize(silent).authorization?.error == .consentRequired)
        let answer = try await anna.post(
            "authorize/decision",
            ["authorization": page.unescapedField("authorization"), "decision": "approve", "session": "1h"])
        let code = try #require(answer.authorization?.code)
        let tokens = try await server.redeem(code, as: .shop).json(TokenResponse.self)
        #expect(tokens.authorizationExpiresIn == 3600)
        _ = try await anna.post("logout", ["confirmed": "yes"])
        #expect(try await server.honours(tokens.accessToken))
    }

    @Test(.server(withApps: true)) func `leaves the consent of its app when it ends`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        let other = try await server.redeem(try await anna.code(for: .shop), as: .shop).json(TokenResponse.self)
        var request = TestApps.shop.request
        request.service = server.service()
        let code = try #require(try await anna.authorize(request, answering: "approve").authorization?.code)
        _ = try await server.redeem(code, as: .shop).json(TokenResponse.self)
        let records = try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }
        let grant = try #require(records.first { $0.request.service != nil }?.grant.id)
        _ = try await anna.post("account/sign-out", ["grant": grant.rawValue])
        #expect(try await server.store.read { try $0.consents.all(of: TestPerson.anna.subject) }.count == 1)
        #expect(try await server.honours(other.accessToken))
    }

    @Test(.server(withApps: true)) func `is shown in the provider’s own app, whose person may shorten it`() async throws
    {
        let server = TestServer.current
        let phone = try await server.providersApp()
        var request = TestApps.native.request
        request.service = server.service()
        let looked = try await phone.looked(at: request.form.encoded)
        #expect(looked.response.service == LookService(server.service()) && looked.response.mustAsk)
        var claims = phone.claims(on: looked, .approve)
        claims.session = .quarterHour
        let said = try await phone.send(claims, on: looked.parameters).confirmation
        let code = try #require(said.location?.response?.code)
        let tokens = try await server.redeem(code, as: .native).json(TokenResponse.self)
        #expect(tokens.authorizationExpiresIn == 900)
        #expect(try await server.store.read { try $0.consents.all(of: TestPerson.anna.subject) } == [])
    }

    @Test func `is shown in the inbox of a device, whose signed answer may shorten it`() async throws {
        let desk = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let service = server.service()
        let asked = try await desk.asked([
            "service_purpose": service.purpose, "service_until": service.ends.numericDate.description,
        ])
        let shown = try await device.shown()
        #expect(shown.response.service == LookService(service))
        #expect(shown.response.approval?.sessionTerms == [.own, .quarterHour, .hour, .workday])
        var claims = device.claims(on: shown)
        claims.session = .hour
        #expect(try await device.send(claims).status == .ok)
        #expect(try await desk.poll(asked).json(TokenResponse.self).authorizationExpiresIn == 3600)
    }

    @Test func `is shown to a phone nearby`() async throws {
        let phone = try await server.phone()
        #expect(try await phone.shown(try await server.screenNearby(over: 8)).response.service == nil)
        let service = server.service()
        let verifier = NearbyVerifier(drawingFrom: .system)
        let codes = try await server.ask(
            for: service, ["scope": "openid", "nearby_challenge": verifier.challenge.description])
        let screen = TestScreenNearby(
            server: server, client: .tv, codes: codes, verifier: verifier, link: TestServer.link(7))
        let shown = try await phone.shown(screen)
        #expect(shown.response.service == LookService(service))
        #expect(shown.response.approval?.sessionTerms == [.own, .quarterHour, .hour, .workday])
        #expect(try await phone.send(phone.claims(on: shown, over: screen.link)).status == .ok)
        #expect(try await screen.poll(over: screen.link).json(TokenResponse.self).authorizationExpiresIn == 86_400)
    }
}
