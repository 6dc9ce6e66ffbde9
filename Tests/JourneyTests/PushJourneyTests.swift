import Countersign
import CountersignApprover
import CountersignRequester
import CountersignSQLite
import CountersignServer
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import NIOConcurrencyHelpers
import PushFixture
import Testing

/// Feature 118: the server sends by HTTP/2 to a stand-in of Apple's push service, and what came is handed to an app
/// without a screen.
@Suite("A push message to an enrolled device", .timeLimit(.minutes(10)))
struct PushJourneyTests {
    @Test(arguments: [RequestAnswer.approve(), .deny])
    func `brings the request to the app, and the client that asked gets the answer`(answer: RequestAnswer)
        async throws
    {
        try await play { server, phone, gateway in
            let backend = backend(at: server)
            var asked = BackchannelAuthenticationRequest(
                for: .login(JourneyPerson.anna.username), scope: backend.scope)
            asked.bindingMessage = BindingMessage(parsing: "Order 42")
            let awaited = try await backend.start(asked)

            let message = try await gateway.message(advancing: server.clock)
            #expect(message.isHTTP2 && message.device == "00ffa0")
            #expect(message.field("apns-topic") == "com.example.bank")
            // The push service learns nothing of the request.
            #expect(!String(decoding: message.body, as: UTF8.self).contains("Order 42"))

            let payload = payload(of: message)
            #expect(payload.kind == .instant)
            guard case .request(let shown) = try await phone.approver.received(payload) else {
                Issue.record("there is no request: \(payload)")
                return
            }
            #expect(shown.clientName.value == "Backend" && shown.message?.value == "Order 42")
            try await phone.approver.answer(answer, to: shown)

            server.clock.advance(by: .seconds(5))
            let outcome = try await backend.outcome(of: awaited)
            switch (answer, outcome) {
            case (.approve, .signedIn(let signedIn)):
                #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            case (.deny, .denied): break
            default: Issue.record("\(answer) became \(outcome)")
            }
            let store = try #require(await server.store)
            let decision = try await store.read { try $0.signedDecisions.find(shown.id) }
            #expect(decision?.key == phone.key.publicKey)
            // The message may come once more, and nothing waits then.
            #expect(try await phone.approver.received(payload) == .nothing)
        }
    }

    // MARK: The story

    /// Notes that the server hands over a message.
    private struct WatchedPushService: PushService {
        let base: ApplePushService
        private let begun = NIOLockedValueBox(false)

        init(_ base: ApplePushService) { self.base = base }

        var hasBegun: Bool { begun.withLockedValue(\.self) }

        func serves(_ service: PushAddress.Service) -> Bool { base.serves(service) }

        func send(_ message: PushMessage) async -> DeliveryOutcome {
            begun.withLockedValue { $0 = true }
            return await base.send(message)
        }
    }

    /// The push service between the server and the phone.
    private struct Gateway: Sendable {
        let standIn: ApplePushStandIn
        let service: WatchedPushService

        struct NoMessage: Error {}

        /// The message that came first; the clock goes on until the server begins to send it.
        func message(advancing clock: ManualClock) async throws -> ApplePushStandIn.Received {
            for _ in 0..<2_000 where !service.hasBegun {
                clock.advance(by: .milliseconds(100))
                try await Task.sleep(for: .milliseconds(10))
            }
            guard service.hasBegun else { throw NoMessage() }
            for await message in standIn.accepted { return message }
            throw NoMessage()
        }
    }

    private func play(
        _ body: @escaping @Sendable (JourneyServer, JourneyPhone, Gateway) async throws -> Void
    ) async throws {
        let key = P256.Signing.PrivateKey()
        let (pem, keyID, team) = (key.pemRepresentation, "ABC123DEFG", "DEF123GHIJ")
        let standIn = ApplePushStandIn(key: key.publicKey, keyID: keyID, team: team)
        try await ApplePushStandIn.run(standIn) { base, network in
            let clock = ManualClock()
            let service = WatchedPushService(
                try ApplePushService(
                    pem: pem,
                    keyID: keyID,
                    team: team,
                    topic: "com.example.bank",
                    hosts: ApplePushService.Hosts(production: base),
                    clock: clock.source,
                    over: network,
                    within: .seconds(3600)
                )
            )
            try await JourneyServer.with(
                clock: clock, configuring: { $0.delivery = DeliverySettings(pushServices: [service]) }
            ) { server in
                try await server.addPhoneApp()
                let phone = JourneyPhone(at: server)
                try await phone.enroll(by: try await server.ticket(of: .anna))
                let token: [UInt8] = [0x00, 0xff, 0xa0]
                try await phone.approver.register(pushToken: token, isEnabled: true, isDevelopment: false)
                try await body(server, phone, Gateway(standIn: standIn, service: service))
            }
        }
    }

    private func backend(at server: JourneyServer) -> BackchannelSignIn {
        BackchannelSignIn(
            at: server.issuer,
            as: JourneyParties.backend,
            secret: JourneyParties.backendSecret,
            for: Scope([.openid]),
            in: RequesterContext(over: OverheardTransport(), clock: server.clock.skipping, random: .system)
        )
    }

    /// The payload that a system hands to the app: the members of the message, and its category.
    private func payload(of message: ApplePushStandIn.Received) -> PushPayload {
        var info: [String: any Sendable] = [:]
        for name in ["envId", "authId", "type"] {
            if let text = message.member(name) as? String { info[name] = text }
        }
        let shown = message.member("aps") as? [String: Any]
        return PushPayload(info, category: shown?["category"] as? String)
    }
}
