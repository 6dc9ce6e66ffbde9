import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: draft-ietf-oauth-refresh-token-expiration-03.
@Suite("A sign-in whose person chose its end", .server)
struct ChosenEndTests {
    let server = TestServer.current

    @Test(arguments: [(SessionTerm.quarterHour, 900), (.hour, 3600), (.workday, 28_800)])
    func `tells it with the tokens, which do not outlive it`(term: SessionTerm, seconds: Int) async throws {
        let tokens = try await server.signedIn(.console, session: term)
        #expect(tokens.authorizationExpiresIn == seconds)
        #expect(try #require(tokens.expiresIn) <= seconds)
        let told = try await server.introspect(tokens.accessToken.revealed, as: .console)
        #expect(told.active && told.expires.map { $0 <= server.clock.date.numericDate + seconds } == true)
        let refresh = try await server.introspect(try #require(tokens.refreshToken).revealed, as: .console)
        #expect(refresh.expires == server.clock.date.numericDate + seconds)
    }

    @Test(arguments: [(SessionTerm.quarterHour, 900), (.workday, Lifetimes.idToken), (.own, Lifetimes.idToken)])
    func `is not outlived by the ID token`(term: SessionTerm, lifetime: TimeInterval) async throws {
        let token = try #require(try await server.signedIn(scope: "openid", session: term).idToken)
        let expires = try #require(try await server.read(token.revealed).number("exp"))
        #expect(expires - server.clock.date.numericDate == Int(lifetime))
    }

    @Test(arguments: [SessionTerm.own, nil])
    func `has none without a choice, and tells none`(term: SessionTerm?) async throws {
        let tokens = try await server.signedIn(session: term)
        #expect(tokens.authorizationExpiresIn == nil)
        #expect(
            try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.first?.grant.ends == nil)
    }

    @Test func `goes on by refreshing until then, and no longer`() async throws {
        var tokens = try await server.signedIn(session: .quarterHour)
        server.clock.advance(by: .seconds(600))
        tokens = try await server.refresh(tokens.refreshToken).json(TokenResponse.self)
        #expect(tokens.authorizationExpiresIn == 300 && tokens.expiresIn == 300)
        #expect(try await server.honours(tokens.accessToken))
        server.clock.advance(by: .seconds(300))
        #expect(try await !server.honours(tokens.accessToken))
        let refused = try await server.refresh(tokens.refreshToken)
        let error = try refused.json(OAuthErrorResponse.self)
        #expect(refused.status == .badRequest && error.error == .invalidGrant)
        #expect(error.description == "the sign-in has ended, at the time that its person chose")
        server.clock.advance(by: .seconds(1))
        try await server.maintenance().sweep()
        #expect(try await server.refresh(tokens.refreshToken).json(OAuthErrorResponse.self).error == .invalidGrant)
        #expect(try await server.rows(of: "sign_ins") == 0)
    }

    @Test func `is not redeemed after it`() async throws {
        try await server.change(.tv) { $0.lifetimes = Lifetimes(code: 1800) }
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes, session: .quarterHour)
        server.clock.advance(by: .seconds(901))
        #expect(try await server.poll(codes).json(OAuthErrorResponse.self).error == .accessDenied)
    }

    @Test func `shows its end on the account page`() async throws {
        _ = try await server.signedIn(session: .hour)
        let end = (server.clock.date + 3600).formatted(.iso8601)
        let page = try await server.browser(of: .anna).get("account").text
        #expect(page.contains("Signed in until") && page.contains(#"<time datetime="\#(end)">"#))
    }

    @Test func `offers the times in one field, with the answer that changes nothing selected`() async throws {
        let codes = try await server.ask(scope: "openid")
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode.rawValue)").text
        let values = page.matches(of: #/<option value="([^"]+)"( selected)?>/#)
        #expect(values.map { String($0.1) } == SessionTerm.allCases.map(\.rawValue))
        #expect(values.filter { $0.2 != nil }.map { String($0.1) } == ["own"])
        #expect(page.contains("What it will be able to do"))
    }

    @Test func `is that of a device which automatic sign-on signs in for another service`() async throws {
        let ends = server.clock.date + 900
        let party = DecidingParty.earlierSignIn(
            SignInRecord(
                grant: {
                    var grant = Grant(
                        id: Grant.ID("g"), subject: TestPerson.anna.subject, client: TestClients.tv.id, scope: .none,
                        evidence: Evidence(), approved: server.clock.date)
                    grant.ends = ends
                    return grant
                }(),
                request: SignInRequest(
                    id: SignInRequest.ID("r"), client: .verified(TestClients.tv.id), scope: .verified(.none),
                    asked: .observed(server.clock.date), deadline: ends),
                signedIn: server.clock.date, lastUsed: server.clock.date, ends: ends))
        #expect(party.limit?.ends == ends)
    }

    // MARK: Browsers that a phone signed in

    /// A browser that a phone signed in for a quarter of an hour, and an app that was signed in there.
    private func borrowed() async throws -> (TestAskingBrowser, TokenResponse) {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv, session: "15m")
        try await tv.proceed()
        let page = try await tv.get("authorize?\(TestApps.shop.request.form.encoded)")
        let answer = try await tv.post(
            "authorize/decision", ["authorization": page.unescapedField("authorization"), "decision": "approve"])
        let code = try #require(answer.authorization?.code)
        return (tv, try await server.redeem(code, as: .shop).json(TokenResponse.self))
    }

    @Test(.server(withApps: true)) func `is that of the borrowed browser for the apps in it`() async throws {
        let server = TestServer.current
        let (tv, tokens) = try await borrowed()
        let end = try #require(try await tv.session()?.expires)
        let record = try await server.store.read { try $0.signIns.all(of: TestApps.shop.id, limit: 1) }.first
        #expect(record?.grant.ends == end && record?.ends == end)
        #expect(tokens.authorizationExpiresIn == 900)
        server.clock.advance(by: .seconds(900))
        #expect(try await !server.honours(tokens.accessToken))
        let refused = try await server.post(
            server.path("token"),
            try TestApps.shop.credentials.with([
                "grant_type": "refresh_token", "refresh_token": tokens.refreshToken?.revealed,
            ]))
        #expect(try refused.json(OAuthErrorResponse.self).error == .invalidGrant)
    }

    @Test(.server(withApps: true)) func `comes earlier when the borrowed browser is signed out`() async throws {
        let server = TestServer.current
        let (tv, tokens) = try await borrowed()
        let session = try #require(try await tv.session())
        let now = server.clock.date
        try await server.change { try Sessions($0).end(session, at: now) }
        #expect(try await !server.honours(tokens.accessToken))
    }

    @Test(arguments: [(0.0, ["own", "15m", "1h"]), (2700.0, ["own", "15m"]), (2701.0, ["own"])])
    func `is offered in a borrowed browser only up to the end of that, and the page says so`(
        later: Double, offered: [String]
    ) async throws {
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv, session: "1h")
        try await tv.proceed()
        let end = try #require(try await tv.session()?.expires)
        server.clock.advance(by: .seconds(later))
        let codes = try await server.ask(scope: "openid")
        try await tv.get("account")
        try await tv.post("activate", ["user_code": codes.userCode.rawValue])
        let page = try await tv.get("activate/confirm?user_code=\(codes.userCode.rawValue)").text
        #expect(page.matches(of: #/<option value="([^"]+)"/#).map { String($0.1) } == offered)
        let clock = TimeDisplay(end, at: end).clock.english
        #expect(page.contains("Until this browser’s sign-in ends, at \(clock)"))
        #expect(page.contains("This browser is signed in until <time datetime=") && page.contains(">\(clock)</time>"))
        // A time that was not offered is cut, and the audit tells how.
        try await tv.post(
            "activate/decision", ["user_code": codes.userCode.rawValue, "decision": "approve", "session": "8h"])
        let detail = try await server.audited(.approved).last?.detail
        #expect(detail?.contains("session: until \(end.formatted(.iso8601))") == true, "\(detail ?? "")")
        let grant = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange.grant }
        #expect(grant?.ends == end)
    }

    @Test(.server(withApps: true)) func `is told on the page where a borrowed browser signs an app in`() async throws {
        let server = TestServer.current
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv, session: "15m")
        try await tv.proceed()
        let page = try await tv.get("authorize?\(TestApps.shop.request.form.encoded)").text
        #expect(page.contains("What you approve in it ends then, at the latest."))
        #expect(!page.contains("this app need not ask again"))
        let own = try await server.browser(of: .anna).get("authorize?\(TestApps.shop.request.form.encoded)").text
        #expect(!own.contains("ends then"))
    }

    @Test func `is that of the borrowed browser for a screen that is approved there, which remembers nobody`()
        async throws
    {
        let tv = try await TestAskingBrowser.asking(server)
        try await server.browser(of: .anna).approve(tv, session: "15m")
        try await tv.proceed()
        let end = try #require(try await tv.session()?.expires)
        let codes = try await server.ask(scope: "openid")
        try await tv.get("account")
        try await tv.post("activate", ["user_code": codes.userCode.rawValue])
        let page = try await tv.get("activate/confirm?user_code=\(codes.userCode.rawValue)").text
        #expect(page.contains(#"<option value="own" selected>"#) && !page.contains(#"<option value="remember""#))
        try await tv.post(
            "activate/decision",
            ["user_code": codes.userCode.rawValue, "decision": "approve", "session": "remember"])
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        #expect(tokens.authorizationExpiresIn == 900)
        let grant = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange.grant }
        #expect(grant?.ends == end && grant?.screen == nil)
    }
}
