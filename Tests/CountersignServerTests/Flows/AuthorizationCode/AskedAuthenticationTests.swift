import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 9470 §5; OpenID Connect Core 1.0 §3.1.2.1; OpenID CIBA Core 1.0 §7.1.
@Suite("A client that asks how the person signs in", .timeLimit(.minutes(10)), .server(withApps: true))
struct AskedAuthenticationTests {
    let server = TestServer.current
    private static let password = "urn:countersign:acr:password"
    private static let secondFactor = "urn:countersign:acr:second-factor"
    private static let passkey = "urn:countersign:acr:passkey"

    private func query(_ asked: String, _ changes: [String: String] = [:]) -> String {
        var form = TestApps.shop.request.form
        form["acr_values"] = asked
        for (name, value) in changes { form[name] = value }
        return form.encoded
    }

    /// Gives a person one-time passwords, and signs them in with one in another browser.
    private func withSecondFactor(_ browser: TestBrowser) async throws -> TestBrowser {
        let server = browser.server
        let (totp, _) = try await browser.setUpPasswords()
        server.clock.advance(by: .seconds(30))
        let other = try await server.newBrowser()
        let entered = try await other.type(
            totp.password(at: server.clock.date).revealed, at: try await other.typePassword())
        let cookie = try #require(entered.givenCookie)
        let account = try await server.get("/account", headers: [.cookie: cookie])
        return TestBrowser(server: server, cookie: cookie, formToken: try #require(account.field("form_token")))
    }

    /// Redeems the code of an answer; checks that all tokens name the class.
    private func expect(_ acr: String, by answer: TestResponse, of server: TestServer) async throws {
        let code = try #require(answer.authorization?.code, "\(answer.status) \(answer.location ?? "")")
        try await expect(acr, in: try await server.redeem(code, as: .shop).json(TokenResponse.self), of: server)
    }

    private func expect(_ acr: String, in tokens: TokenResponse, of server: TestServer) async throws {
        #expect(try await server.read(try #require(tokens.idToken).revealed).text("acr") == acr)
        let access = try await server.store.read { try $0.accessTokens.find(tokens.accessToken.digest) }
        #expect(access?.authenticationClass == acr)
    }

    // MARK: By a browser

    @Test func `gets the person signed in so, once they can`() async throws {
        let anna = try await server.browser(of: .anna)
        let query = query("urn:unknown \(Self.secondFactor)")
        #expect(try await anna.get("authorize?\(query)").authorization?.error == .unmetAuthenticationRequirements)

        let sure = try await withSecondFactor(anna)
        let sent = try await anna.get("authorize?\(query)")
        let login = try #require(sent.location)
        #expect(login.hasPrefix("/login?"))
        let page = try await server.get(login, headers: [.cookie: anna.cookie])
        #expect(page.text.contains("another way to sign in"))
        let silent = self.query(Self.secondFactor, ["prompt": "none"])
        #expect(try await anna.get("authorize?\(silent)").authorization?.error == .unmetAuthenticationRequirements)
        // A request that the page did not show is no way around.
        let pushed = try await anna.post("authorize/decision", ["authorization": query, "decision": "approve"])
        #expect(pushed.location?.hasPrefix("/login?") == true)

        let answer = try await sure.authorize(query: query)
        let code = try #require(answer.authorization?.code)
        let tokens = try await server.redeem(code, as: .shop).json(TokenResponse.self)
        try await expect(Self.secondFactor, in: tokens, of: server)
        let read = try await server.read(try #require(tokens.idToken).revealed)
        #expect(read.claims["amr"] as? [String] == ["pwd", "otp", "mfa"])
    }

    @Test
    func `is told at once where the only device that could do it is signed out`() async throws {
        _ = try await server.authenticator()
        let anna = try await server.browser(of: .anna)
        let query = query(Self.secondFactor)
        #expect(try await anna.get("authorize?\(query)").location?.hasPrefix("/login?") == true)
        let now = server.clock.date
        try await server.change { repositories in
            for var record in try repositories.signIns.all(of: TestPerson.anna.subject) {
                record.ends = now
                try repositories.signIns.update(record)
            }
        }
        #expect(try await anna.get("authorize?\(query)").authorization?.error == .unmetAuthenticationRequirements)
    }

    @Test
    func `is content with any that it names, and with a stronger one under the name that it asked for`()
        async throws
    {
        let anna = try await server.browser(of: .anna)
        try await expect(
            Self.password,
            by: try await anna.authorize(query: query("\(Self.passkey) \(Self.password)")),
            of: server
        )
        let sure = try await withSecondFactor(anna)
        // They are asked again, although they allowed all of it.
        let again = ["prompt": "consent"]
        let weaker = try await sure.authorize(query: query(Self.password, again))
        try await expect(Self.password, by: weaker, of: server)
        try await expect(
            Self.secondFactor,
            by: try await sure.authorize(query: query("\(Self.password) \(Self.secondFactor)", again)),
            of: server
        )
    }

    /// Standard: OpenID Connect Core 1.0 §5.5.1.1.
    @Test
    func `gets the person signed in so if they can, where that is a wish only`() async throws {
        let anna = try await server.browser(of: .anna)
        var form = TestApps.shop.request.form
        form["claims"] = #"{"id_token":{"acr":{"value":"\#(Self.secondFactor)"}}}"#
        let query = form.encoded
        try await expect(Self.password, by: try await anna.authorize(query: query), of: server)

        let sure = try await withSecondFactor(anna)
        #expect(try await anna.get("authorize?\(query)").location?.hasPrefix("/login?") == true)
        form["prompt"] = "none"
        try await expect(Self.password, by: try await anna.get("authorize?\(form.encoded)"), of: server)
        try await expect(Self.secondFactor, by: try await sure.get("authorize?\(form.encoded)"), of: server)
    }

    @Test(.server(withApps: true) { $0.minimumEvidence = [.profile: ScopeDemands([.secondFactor])] })
    func `lowers nothing that a scope demands`() async throws {
        let anna = try await server.browser(of: .anna)
        // She has no second factor, so that signing in again would not help.
        let answer = try await anna.get("authorize?\(query(Self.password))")
        #expect(answer.authorization?.error == .accessDenied && answer.authorization?.code == nil)
        _ = try await withSecondFactor(anna)
        let led = try await anna.get("authorize?\(query(Self.password))")
        #expect(led.location?.hasPrefix("/login?") == true && led.location?.contains("again=way") == true)
    }

    // MARK: Over the back channel

    /// Answers the request that the account page shows.
    private func approve(_ browser: TestBrowser) async throws -> TestResponse {
        let id = try #require(try await browser.openQuestion().field("request"))
        return try await browser.post("activate/decision", ["request": id, "decision": "approve"])
    }

    @Test(.server) func `learns over the back channel that a person can't, or gets them signed in so`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let anna = try await server.browser(of: .anna)
        let unmet = try await client.asked(["acr_values": Self.secondFactor])
        let refused = try await approve(anna)
        #expect(refused.status == .forbidden && refused.text.contains("not set up"))
        #expect(try await client.poll(unmet).error == .unmetAuthenticationRequirements)

        let sure = try await withSecondFactor(anna)
        let asked = try await client.asked(["acr_values": "urn:unknown \(Self.secondFactor)"])
        let sent = try #require(try await approve(anna).location)
        #expect(sent.hasPrefix("/login?") && sent.contains("return_to=%2Factivate%2Fconfirm"), "\(sent)")
        #expect(try await client.poll(asked).error == .authorizationPending)
        try await sure.answerQuestion("approve")
        server.clock.advance(by: .seconds(5))
        try await expect(Self.secondFactor, in: try await client.poll(asked).json(TokenResponse.self), of: server)
        let details = try await server.audited(.approved).compactMap(\.detail)
        #expect(!details.isEmpty)
    }

    @Test(.server) func `is answered as always over the back channel where it asks for nothing that is known`()
        async throws
    {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked(["acr_values": "urn:unknown"])
        try await server.browser(of: .anna).answerQuestion("approve")
        try await expect(Self.password, in: try await client.poll(asked).json(TokenResponse.self), of: server)
    }
}
