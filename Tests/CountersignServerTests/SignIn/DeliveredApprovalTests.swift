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

@Suite("An approval that was delivered")
struct DeliveredApprovalTests {
    /// A way to tell a site of an approval.
    enum Way: CaseIterable, Sendable {
        case webhook, reading, events
    }

    private static let hook = "https://bank.example/decided"

    private func open(
        _ replies: ScriptedTransport.Reply...,
        running test:
            @escaping @Sendable (TestCustomer, DeliveryService, ScriptedTransport) async throws -> Void
    ) async throws {
        let transport = ScriptedTransport(["/decided": replies.isEmpty ? [.status(.noContent)] : replies])
        try await TestCustomer.open(calling: transport, editing: { $0.webhook = Self.hook }) { customer in
            let server = customer.server
            let delivery = server.server.deliveries(over: transport, telling: server.server.environmentWebhooks)
            try await customer.enrollDevice()
            try await test(customer, delivery, transport)
        }
    }

    /// The statuses that the customer's server was told, in order.
    private func told(_ transport: ScriptedTransport, _ customer: TestCustomer) throws
        -> [AuthenticationRequest.Status]
    {
        try transport.sent(to: "/decided").map { call in
            let token = try JSONDecoder().decode([String: String].self, from: Data(call.body))["token"] ?? ""
            return try StatusToken(token, by: customer.secret, at: customer.server.clock.date).status
        }
    }

    /// The grant of the approval, which is no secret.
    private func grant(of asked: AuthenticationRequest, _ customer: TestCustomer) async throws -> String {
        let id = SignInRequest.ID(asked.id.rawValue)
        let stored = try await customer.server.store.read { try $0.exchanges.find(id) }
        return try #require(stored?.exchange.grant).id.rawValue
    }

    @Test(arguments: Way.allCases)
    func `to a site is not undone, and the pages say why`(way: Way) async throws {
        try await open { customer, delivery, transport in
            let asked = try await customer.open()
            try await customer.decide(.approve, asked)
            switch way {
            case .webhook: try await delivery.deliver()
            case .reading: #expect(try await customer.read(asked).status == .approved)
            case .events:
                let stream = try await customer.server.get("/auth/v1.0/instant/\(asked.id)/events")
                #expect(stream.text.contains("\"token\""))
            }
            let anna = try await customer.server.browser(of: .anna)
            let result = try await anna.get("activate/result?request=\(asked.id)")
            #expect(result.text.contains("already, so it can no longer be taken back"))
            #expect(!result.text.contains("account/undo"))
            #expect(try await anna.get("account").text.contains("already, so that can no longer be taken back"))
            let answer = try await anna.post(
                "account/undo", ["grant": try await grant(of: asked, customer)])
            #expect(answer.location == "/account?done=delivered")
            #expect(try await customer.read(asked).status == .approved)
            try await delivery.deliver()
            #expect(try told(transport, customer) == [.approved])
        }
    }

    @Test func `to a site stays approved when its person is signed out everywhere`() async throws {
        try await open { customer, _, _ in
            let (read, unread) = (try await customer.open(), "+31611111111")
            try await customer.decide(.approve, read)
            #expect(try await customer.read(read).status == .approved)
            try await customer.give(unread, to: .anna)
            let other = try await customer.open(.instant, ["to": "\"\(unread)\""])
            try await customer.decide(.approve, other)
            let now = customer.server.clock.date
            try await customer.server.change { try Revocation($0).endAll(of: TestPerson.anna.subject, at: now) }
            #expect(try await customer.read(read).status == .approved)
            #expect(try await customer.read(other).status == .denied)
        }
    }

    @Test func `by a call that may have arrived is not undone either`() async throws {
        try await open(.failure(TransportError(.interrupted, because: "lost")), .status(.noContent)) {
            customer, delivery, transport in
            let asked = try await customer.open()
            try await customer.decide(.approve, asked)
            try await delivery.deliver()
            let anna = try await customer.server.browser(of: .anna)
            let undo = try await anna.post("account/undo", ["grant": try await grant(of: asked, customer)])
            #expect(undo.location == "/account?done=delivered")
            customer.server.clock.advance(by: .seconds(60))
            try await delivery.deliver()
            #expect(try told(transport, customer) == [.approved, .approved])
        }
    }

    @Test func `not yet is undone, and the site learns of the denial alone`() async throws {
        try await open { customer, delivery, transport in
            let asked = try await customer.open()
            try await customer.decide(.approve, asked)
            let anna = try await customer.server.browser(of: .anna)
            #expect(try await anna.get("activate/result?request=\(asked.id)").text.contains("account/undo"))
            let undo = try await anna.post("account/undo", ["grant": try await grant(of: asked, customer)])
            #expect(undo.location == "/account?done=undone")
            try await delivery.deliver()
            #expect(try await customer.read(asked).status == .denied)
            #expect(try told(transport, customer) == [.denied])
        }
    }

    @Test func `by a one-time password is final at once`() async throws {
        try await open { customer, _, _ in
            let asked = try await customer.open(.oneTimePassword)
            let pin = try await customer.password(of: asked)
            #expect(try await customer.check(pin, of: asked).status == .ok)
            let anna = try await customer.server.browser(of: .anna)
            let undo = try await anna.post("account/undo", ["grant": try await grant(of: asked, customer)])
            #expect(undo.location == "/account?done=delivered")
            #expect(try await customer.read(asked).status == .approved)
        }
    }

    @Test(.server) func `with its tokens by push is not undone, but signed out`() async throws {
        let client = try await TestBackchannelClient.add(to: .current, .push)
        _ = try await client.asked()
        let anna = try await client.server.browser(of: .anna)
        let page = try #require(try await anna.answerQuestion("approve").location)
        let network = ScriptedTransport.answeringNotifications(.status(.noContent))
        try await client.server.delivery(over: network).deliver()
        let signIns = try await client.server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }
        let grant = try #require(signIns.first).grant.id.rawValue
        let result = try await client.server.get(page, headers: [.cookie: anna.cookie])
        #expect(result.text.contains("already, so it can no longer be taken back"))
        #expect(try await anna.post("account/undo", ["grant": grant]).location == "/account?done=delivered")
        #expect(try await anna.post("account/sign-out", ["grant": grant]).location == "/account?done=signed-out")
    }

    /// The undoing comes between the call and its answer.
    @Test(.server) func `with tokens under way is undone, and the client is told that once, after the tokens`()
        async throws
    {
        let client = try await TestBackchannelClient.add(to: .current, .push)
        _ = try await client.asked()
        let anna = try await client.server.browser(of: .anna)
        try await anna.answerQuestion("approve")
        let network = ScriptedTransport.answeringNotifications()
        let delivery = client.server.delivery(
            over: InterruptedTransport(inner: network) {
                let record = try? await client.server.store.read {
                    try $0.signIns.all(of: TestPerson.anna.subject).first
                }
                _ = try? await anna.post("account/undo", ["grant": record?.grant.id.rawValue ?? ""])
            })
        try await delivery.deliver()
        client.server.clock.advance(by: .seconds(30))
        try await delivery.deliver()
        client.server.clock.advance(by: .seconds(600))
        try await delivery.deliver()
        let notifications = try network.notifications()
        #expect(notifications.count == 2)
        guard case .tokens? = notifications.first, case .refused(let error, for: _)? = notifications.last else {
            Issue.record("\(notifications)")
            return
        }
        #expect(error.error == .accessDenied)
    }
}

/// A network that lets something happen between a request and its answer.
private struct InterruptedTransport: HTTPTransport {
    let inner: ScriptedTransport
    let act: @Sendable () async -> Void

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let answer = try await inner.send(request, body: body, within: limit)
        await act()
        return answer
    }
}
