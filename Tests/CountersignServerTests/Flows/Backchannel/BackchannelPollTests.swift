import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: OpenID CIBA Core 1.0 §7, §10.1, §11.
@Suite("A client that asks over the back channel and polls", .timeLimit(.minutes(10)), .server)
struct BackchannelPollTests {
    let server = TestServer.current

    @Test func `gets the tokens of the person whom it named, once they approve`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked(["binding_message": "W4SCT"])
        #expect(asked.expiresIn == 300 && asked.interval == 5)
        // Standard: OpenID CIBA Core 1.0 §7.3: at least 160 bits.
        #expect(asked.request.revealed.utf8.count == 43)
        #expect(try await client.poll(asked).error == .authorizationPending)
        let anna = try await server.browser(of: .anna)
        try await anna.answerQuestion("approve")
        let answer = try await client.poll(asked)
        #expect(answer.status == .ok, "\(answer.text)")
        let tokens = try answer.json(TokenResponse.self)
        #expect(tokens.scope == Scope([.openid, .profile]) && tokens.refreshToken != nil)
        let idToken = try await server.read(try #require(tokens.idToken).revealed)
        #expect(idToken.text("sub") == TestPerson.anna.subject.rawValue && idToken.text("aud") == "desk")
        #expect(idToken.text("acr") == "urn:countersign:acr:password")
        // Only pushed tokens are bound to the request.
        #expect(!idToken.names.contains("urn:openid:params:jwt:claim:auth_req_id"))
        #expect(try await server.honours(tokens.accessToken))
    }

    @Test func `leaves evidence of its own, with the audit`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("approve")
        _ = try await client.poll(asked)
        let record = try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.first
        #expect(record?.grant.evidence.proofs.contains(.namedByClient) == true)
        let entries = try await server.store.read { try $0.audit.entries(after: 0, limit: 100) }
        let approved = try #require(entries.first { $0.facts.act == .approved })
        #expect(approved.facts.detail?.contains("named_by_client") == true)
    }

    @Test func `keeps only the digest of its identifier`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked()
        let stored = try await server.store.read { try $0.exchanges.find(asked.request.digest) }
        #expect(stored?.method == .backchannel(BackchannelTerms(deliveryMode: .poll, bindingMessage: nil)))
        #expect(stored?.exchange.request.addressee == TestPerson.anna.subject)
        #expect(stored?.exchange.request.client == .verified(client.id))
    }

    @Test func `is told of a denial, and of an end`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let denied = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("deny")
        #expect(try await client.poll(denied).error == .accessDenied)
        let over = try await client.asked(["requested_expiry": "30"])
        #expect(over.expiresIn == 30)
        server.clock.advance(by: .seconds(30))
        #expect(try await client.poll(over).error == .expiredToken)
        #expect(try await client.asked(["requested_expiry": "100000"]).expiresIn == 300)
    }

    @Test func `is slowed down when it comes too early`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked()
        #expect(try await client.poll(asked).error == .authorizationPending)
        #expect(try await client.poll(asked).error == .slowDown)
    }

    @Test(arguments: ["approve", "deny"])
    func `may wait for the decision with one request`(decision: String) async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked()
        let anna = try await server.browser(of: .anna)
        async let held = client.poll(asked, prefer: "wait=30")
        await server.clock.sleepers(1)
        try await anna.answerQuestion(decision)
        let answer = try await held
        #expect(answer.headers[.preferenceApplied] == "wait=30")
        #expect(answer.error == (decision == "approve" ? nil : .accessDenied))
    }

    /// Standard: OpenID CIBA Core 1.0 §10.1.1.
    @Test func `redeems once, and its answer is not repeated`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("approve")
        let tokens = try await client.poll(asked).json(TokenResponse.self)
        #expect(try await client.poll(asked).error == .invalidGrant)
        #expect(try await server.honours(tokens.accessToken))
    }

    @Test func `redeems nothing of another client, and in no other way`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let other = TestBackchannelClient(server: client.server, name: "other")
        try await other.register { $0.grantTypes.append(.deviceCode) }
        let asked = try await other.asked()
        try await client.server.browser(of: .anna).answerQuestion("approve")
        #expect(try await client.poll(asked).error == .invalidGrant)
        // Its own identifier is no device code, and no authorization code.
        let device = TokenRequest.deviceCode(DeviceCode(revealing: asked.request.revealed))
        let answer = try await client.server.post("/token", try device.form.with(other.credentials))
        #expect(answer.error == .invalidGrant)
        // A device code is no identifier of a request.
        let codes = try await client.server.ask(as: .console)
        let crossed = TokenRequest.backchannelAuthentication(
            AuthenticationRequestID(revealing: codes.deviceCode.revealed))
        let console = try await client.server.post("/token", try crossed.form.with(TestClients.console.form))
        #expect(console.error == .invalidGrant)
        #expect(try await other.poll(asked).status == .ok)
    }

    @Test(arguments: [
        (["scope": ""], OAuthError.Code.invalidRequest), (["scope": "profile"], .invalidScope),
        (["login_hint": ""], .invalidRequest),
        (["id_token_hint": "x"], .invalidRequest), (["login_hint_token": "x"], .invalidRequest),
        (["login_hint": "", "id_token_hint": "x"], .invalidRequest),
        (["login_hint": "", "login_hint_token": "x"], .invalidRequest),
        (["binding_message": "two\nlines"], .invalidBindingMessage),
        (["binding_message": "two  spaces"], .invalidBindingMessage),
        (["binding_message": String(repeating: "x", count: 65)], .invalidBindingMessage),
        (["requested_expiry": "0"], .invalidRequest), (["requested_expiry": "soon"], .invalidRequest),
        (["client_notification_token": "a b"], .invalidRequest),
        (["client_notification_token": String(repeating: "x", count: 1025)], .invalidRequest),
        (["request": "x.y.z"], .invalidRequest),
    ])
    func `is refused with the standard's word`(changes: [String: String], code: OAuthError.Code) async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let answer = try await client.ask(changes)
        #expect(answer.status == .badRequest)
        #expect(answer.error == code, "\(answer.text)")
        #expect(answer.headers[.cacheControl] == "no-store")
    }

    @Test func `has to be registered for it, and to authenticate`() async throws {
        let form: Form = ["scope": "openid", "login_hint": "anna"]
        #expect(try await server.post("/bc-authorize", form.with(TestClients.tv.form)).error == .unauthorizedClient)
        try await server.change(.tv) { $0.grantTypes.append(.backchannelAuthentication) }
        #expect(try await server.post("/bc-authorize", form.with(TestClients.tv.form)).error == .unauthorizedClient)
        let wrong: Form = ["client_id": "console", "client_secret": "guess"]
        let answer = try await server.post("/bc-authorize", form.with(wrong))
        #expect(answer.status == .unauthorized && answer.error == .invalidClient)
        #expect(try await server.post("/bc-authorize", form.with(TestClients.console.form)).status == .ok)
        #expect(try await server.get("/bc-authorize").status == .methodNotAllowed)
    }

    @Test func `names a person by an ID token that it got, however old`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked()
        try await client.server.browser(of: .anna).answerQuestion("approve")
        let tokens = try await client.poll(asked).json(TokenResponse.self)
        let hint = try #require(tokens.idToken).revealed
        client.server.clock.advance(by: .seconds(86_400))
        _ = try await client.asked(["login_hint": "", "id_token_hint": hint])
        #expect(try await client.server.waiting(for: .anna) == 1)
        // Another client's is no hint.
        let other = TestBackchannelClient(server: client.server, name: "other")
        try await other.register()
        let answer = try await other.ask(["login_hint": "", "id_token_hint": hint])
        #expect(answer.error == .invalidRequest)
    }

    @Test func `gets nothing for a person who was locked after they approved`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let asked = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("approve")
        try await server.lock(.anna)
        #expect(try await client.poll(asked).error == .accessDenied)
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.nearby])] })
    func `gets nothing that only a person in front of the screen may give`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        #expect(try await client.ask(["scope": "openid play"]).error == .unmetAuthenticationRequirements)
        _ = try await client.asked(["scope": "openid"])
    }
}
