import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: OpenID CIBA Core 1.0 §10.2, §10.3, §12.
@Suite("A client that is told of decisions", .server)
struct BackchannelNotificationTests {
    let server = TestServer.current

    // MARK: Ping

    @Test(arguments: ["approve", "deny"])
    func `is pinged after a decision, and asks for it then`(decision: String) async throws {
        let client = try await TestBackchannelClient.add(to: server, .ping)
        let asked = try await client.asked()
        #expect(asked.interval == 5)
        let network = ScriptedTransport.answeringNotifications()
        let delivery = server.delivery(over: network)
        try await delivery.deliver()
        #expect(network.sent().isEmpty)
        try await server.browser(of: .anna).answerQuestion(decision)
        try await delivery.deliver()
        let sent = try #require(network.sent().first)
        #expect(network.sent().count == 1)
        #expect(sent.request.method == .post && sent.request.scheme == "https")
        #expect(sent.request.authority == "desk.example" && sent.path == TestBackchannelClient.path)
        #expect(sent.request.headerFields[.contentType] == "application/json")
        #expect(sent.request.headerFields[.authorization] == "Bearer \(TestBackchannelClient.token)")
        #expect(String(decoding: sent.body, as: UTF8.self) == "{\"auth_req_id\":\"\(asked.request.revealed)\"}")
        #expect(try await client.notices() == [])
        #expect(try await client.poll(asked).error == (decision == "approve" ? nil : .accessDenied))
    }

    @Test func `may poll before, and is not pinged for what it has`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .ping)
        let asked = try await client.asked()
        #expect(try await client.poll(asked).error == .authorizationPending)
        try await server.browser(of: .anna).answerQuestion("approve")
        #expect(try await client.poll(asked).status == .ok)
        let network = ScriptedTransport.answeringNotifications()
        try await server.delivery(over: network).deliver()
        #expect(network.sent().isEmpty)
        #expect(try await client.notices() == [])
    }

    @Test func `is not pinged about a request whose time is over, and nothing is left of it`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .ping)
        _ = try await client.asked()
        server.clock.advance(by: .seconds(300))
        let network = ScriptedTransport.answeringNotifications()
        try await server.delivery(over: network).deliver()
        #expect(network.sent().isEmpty)
        #expect(try await client.notices() == [])
    }

    @Test(arguments: [BackchannelDeliveryMode.ping, .push])
    func `needs a token by which the server proves itself`(mode: BackchannelDeliveryMode) async throws {
        let client = try await TestBackchannelClient.add(to: server, mode)
        let answer = try await client.ask(["client_notification_token": ""])
        #expect(answer.error == .invalidRequest)
    }

    @Test func `keeps its token and the identifier sealed`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .ping)
        let asked = try await client.asked()
        let notice = try #require(try await client.notices().first)
        let bytes = try #require(notice.sealed?.bytes)
        for secret in [TestBackchannelClient.token, asked.request.revealed] {
            #expect(bytes.firstRange(of: Array(secret.utf8)) == nil)
        }
        let keys = try await server.server.services.keys.current()
        guard case .requestEnded(let id) = notice.matter else { throw WrongMatter() }
        #expect(NotificationSecrets(opening: try #require(notice.sealed), for: id, with: keys) != nil)
        let other = SignInRequest.ID("other")
        #expect(NotificationSecrets(opening: try #require(notice.sealed), for: other, with: keys) == nil)
    }

    private struct WrongMatter: Error {}

    // MARK: Push

    @Test func `gets the tokens, and an ID token that says for which request they are`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .push)
        let asked = try await client.asked()
        #expect(asked.interval == nil)
        try await server.browser(of: .anna).answerQuestion("approve")
        let network = ScriptedTransport.answeringNotifications()
        try await server.delivery(over: network).deliver()
        #expect(network.sent().first?.request.headerFields[.authorization] == "Bearer \(TestBackchannelClient.token)")
        guard case .tokens(let tokens, for: let request)? = try network.notifications().first else {
            Issue.record("no tokens")
            return
        }
        #expect(request == asked.request)
        #expect(try await server.honours(tokens.accessToken))
        let idToken = try await server.read(try #require(tokens.idToken).revealed)
        #expect(idToken.text("urn:openid:params:jwt:claim:auth_req_id") == asked.request.revealed)
        #expect(idToken.text("at_hash") == TokenDigest(of: tokens.accessToken).rawValue)
        let refresh = try #require(tokens.refreshToken)
        #expect(idToken.text("urn:openid:params:jwt:claim:rt_hash") == TokenDigest(of: refresh).rawValue)
        #expect(idToken.text("sub") == TestPerson.anna.subject.rawValue)
        #expect(try await client.notices() == [])
    }

    @Test func `does not ask the token endpoint`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .push)
        let asked = try await client.asked()
        #expect(try await client.poll(asked).error == .unauthorizedClient)
        try await server.browser(of: .anna).answerQuestion("approve")
        #expect(try await client.poll(asked).error == .unauthorizedClient)
    }

    @Test func `is told why there are no tokens`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .push)
        let denied = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("deny")
        let network = ScriptedTransport.answeringNotifications()
        let delivery = server.delivery(over: network)
        try await delivery.deliver()
        let over = try await client.asked()
        server.clock.advance(by: .seconds(300))
        try await delivery.deliver()
        let refusals = try network.notifications().map { notification -> [String] in
            guard case .refused(let error, for: let request) = notification else { return [] }
            return [error.error.rawValue, request.revealed]
        }
        #expect(refusals == [["access_denied", denied.request.revealed], ["expired_token", over.request.revealed]])
    }

    @Test func `gets the same tokens again when its answer was lost`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .push)
        _ = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("approve")
        let network = ScriptedTransport.answeringNotifications(
            .failure(TransportError(.interrupted, because: "lost")), .status(.ok))
        let delivery = server.delivery(over: network)
        try await delivery.deliver()
        server.clock.advance(by: .seconds(30))
        try await delivery.deliver()
        let sent = network.sent(to: TestBackchannelClient.path)
        #expect(sent.count == 2 && sent[0].body == sent[1].body)
        #expect(try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.count == 1)
    }

    @Test func `gets no tokens again that the person took back meanwhile`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .push)
        _ = try await client.asked()
        let anna = try await server.browser(of: .anna)
        try await anna.answerQuestion("approve")
        let network = ScriptedTransport.answeringNotifications(.status(.badGateway), .status(.ok))
        let delivery = server.delivery(over: network)
        try await delivery.deliver()
        let record = try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.first
        _ = try await anna.post("account/undo", ["grant": try #require(record).grant.id.rawValue])
        server.clock.advance(by: .seconds(30))
        try await delivery.deliver()
        guard case .refused(let error, for: _)? = try network.notifications().last else {
            Issue.record("tokens that were taken back")
            return
        }
        #expect(error.error == .accessDenied)
    }

    /// A node that has not heard of the change yet, and still has the old registration in memory.
    @Test func `gets tokens for what it is registered for in the database, whatever is in memory`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .push)
        _ = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("approve")
        try await server.tamper("UPDATE clients SET scope = 'openid play' WHERE id = 'desk'")
        let network = ScriptedTransport.answeringNotifications()
        try await server.delivery(over: network).deliver()
        guard case .tokens(let tokens, for: _)? = try network.notifications().first else {
            Issue.record("no tokens")
            return
        }
        #expect(tokens.scope?.description == "openid")
        let figures = server.metrics.text()
        #expect(figures.contains("countersign_tokens_issued_total{grant_type=\"ciba\"} 1"), "\(figures)")
    }

    @Test func `gets no tokens when it lost the grant type, and a word of it`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .push)
        _ = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("approve")
        try await server.tamper("UPDATE clients SET grant_types = 'refresh_token' WHERE id = 'desk'")
        let network = ScriptedTransport.answeringNotifications()
        try await server.delivery(over: network).deliver()
        guard case .refused(let error, for: _)? = try network.notifications().first else {
            Issue.record("tokens for a client that may not have them")
            return
        }
        #expect(error.error == .transactionFailed)
        #expect(try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.isEmpty)
    }

    // MARK: Endpoints that fail

    /// The replies of an endpoint that does not take a notification.
    static let failures: [ScriptedTransport.Reply] = [
        .status(.internalServerError), .status(.tooManyRequests),
        .status(.found, fields: [.location: "https://elsewhere.example/decided"]),
        .failure(TransportError(.timedOut, because: "slow")), .failure(TransportError(.notReached, because: "down")),
        .failure(TransportError(.notTrusted, because: "another certificate")),
    ]

    @Test(arguments: failures)
    func `is called again a few times, at its own address only, and then no more`(
        failure: ScriptedTransport.Reply
    ) async throws {
        let client = try await TestBackchannelClient.add(to: server, .ping, editing: { $0.lifetimes.code = 3600 })
        let asked = try await client.asked(["requested_expiry": "3600"])
        try await server.browser(of: .anna).answerQuestion("deny")
        let network = ScriptedTransport.answeringNotifications(failure)
        let delivery = server.delivery(over: network)
        for (attempt, delay) in NoticeDelivery.delays.prefix(3).enumerated() {
            try await delivery.deliver()
            #expect(network.sent().count == attempt + 1)
            server.clock.advance(by: .seconds(delay))
        }
        #expect(network.sent().allSatisfy { $0.request.authority == "desk.example" && $0.limit == .seconds(5) })
        // It can still ask.
        #expect(try await client.poll(asked).error == .accessDenied)
        server.clock.advance(by: .seconds(3600))
        try await delivery.deliver()
        #expect(try await client.notices() == [])
    }

    @Test(arguments: [HTTPResponse.Status.unauthorized, .forbidden])
    func `is not called again when it does not accept its own token`(status: HTTPResponse.Status) async throws {
        let client = try await TestBackchannelClient.add(to: server, .ping)
        let asked = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("deny")
        let network = ScriptedTransport.answeringNotifications(.status(status))
        let delivery = server.delivery(over: network)
        for _ in 0..<3 {
            try await delivery.deliver()
            server.clock.advance(by: .seconds(30))
        }
        #expect(network.sent().count == 1)
        #expect(try await client.notices() == [])
        #expect(try await client.poll(asked).error == .accessDenied)
    }

    @Test(arguments: [HTTPResponse.Status.unauthorized, .forbidden])
    func `loses a sign-in whose tokens it did not accept`(status: HTTPResponse.Status) async throws {
        let client = try await TestBackchannelClient.add(to: server, .push)
        _ = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("approve")
        let network = ScriptedTransport.answeringNotifications(.status(status))
        try await server.delivery(over: network).deliver()
        #expect(try await client.notices() == [])
        guard case .tokens(let tokens, for: _)? = try network.notifications().first else {
            Issue.record("no tokens")
            return
        }
        #expect(try await !server.honours(tokens.accessToken))
        #expect(try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.isEmpty)
    }

    @Test func `loses a sign-in whose tokens never reached it, and the audit says so`() async throws {
        let client = try await TestBackchannelClient.add(
            to: server, .push, editing: { $0.lifetimes.accessToken = 86_400 })
        _ = try await client.asked()
        try await client.server.browser(of: .anna).answerQuestion("approve")
        let network = ScriptedTransport.answeringNotifications(.status(.serviceUnavailable))
        let delivery = client.server.delivery(over: network)
        for delay in NoticeDelivery.delays {
            try await delivery.deliver()
            client.server.clock.advance(by: .seconds(delay))
            // The request itself is forgotten before the last attempt.
            let now = client.server.clock.date
            _ = try await client.server.store.change { try $0.exchanges.sweep(before: now - 3600, limit: 9) }
        }
        #expect(network.sent().count == NoticeDelivery.delays.count)
        #expect(try await client.notices() == [])
        guard case .tokens(let tokens, for: _)? = try network.notifications().first else {
            Issue.record("no tokens")
            return
        }
        #expect(try await !client.server.honours(tokens.accessToken))
        let entries = try await client.server.store.read { try $0.audit.entries(after: 0, limit: 100) }
        let acts = entries.map(\.facts.act)
        #expect(acts.contains(.decisionNotDelivered))
    }

    @Test func `is not called any more after it was removed`() async throws {
        let client = try await TestBackchannelClient.add(to: server, .ping)
        _ = try await client.asked()
        try await server.browser(of: .anna).answerQuestion("approve")
        try await server.change { _ = try $0.clients.remove(ClientID("desk")) }
        let network = ScriptedTransport.answeringNotifications()
        try await server.delivery(over: network).deliver()
        #expect(network.sent().isEmpty)
        #expect(try await client.notices() == [])
    }

    @Test(arguments: [BackchannelDeliveryMode.ping, .push], ["approve", "deny"])
    func `cannot be called after the keys were replaced at once, and the audit says so`(
        mode: BackchannelDeliveryMode,
        decision: String
    ) async throws {
        let client = try await TestBackchannelClient.add(to: server, mode)
        _ = try await client.asked()
        try await server.browser(of: .anna).answerQuestion(decision)
        _ = try await server.store.replaceKeys(by: CodeMint(drawingFrom: .system), at: server.clock.date)
        let network = ScriptedTransport.answeringNotifications()
        try await server.delivery(over: network).deliver()
        #expect(network.sent().isEmpty)
        #expect(try await client.notices() == [])
        let entry = try #require(try await server.audited(.decisionNotDelivered).last)
        #expect(entry.client == client.id && entry.detail == "it was sealed under a key that was replaced")
    }
}
