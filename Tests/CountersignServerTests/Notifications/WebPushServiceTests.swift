import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import CountersignServer

/// Standard: RFC 8030, RFC 8291, RFC 8292.
@Suite("The service for Web Push", .server(issuer: "https://id.example"))
struct WebPushServiceTests {
    private let server = TestServer.current
    private let phone = TestPushReceiver()

    private func service(
        _ settings: WebPushSettings = WebPushSettings(), over network: ScriptedTransport
    ) -> WebPushService {
        WebPushService(settings, for: server.server.services.core, over: network)
    }

    private func message(
        at endpoint: String = TestPushReceiver.endpoint, about request: String = "request", lasting: TimeInterval = 60
    ) throws -> PushMessage {
        PushMessage(
            id: Delivery.ID("delivery"), to: PushAddress(try phone.subscription(at: endpoint)),
            PushPayload(.instant, request: AuthenticationRequest.ID(request)), expires: server.clock.date + lasting)
    }

    private struct Claims: Decodable, Equatable {
        let aud: String
        let exp: Int
        let sub: String?
    }

    /// The claims of a message, whose signature counts.
    private func claims(of sent: ScriptedTransport.SentRequest) throws -> Claims {
        let header = try #require(sent.request.headerFields[.authorization])
        let match = try #require(header.wholeMatch(of: /vapid t=([^,]+),k=([A-Za-z0-9_-]+)/))
        let token = try #require(CompactJWS(String(match.1)))
        let key = try P256.Signing.PublicKey(
            x963Representation: try #require(URLSafeText.decode(String(match.2))))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: token.signature)
        #expect(key.isValidSignature(signature, for: token.signedBytes))
        #expect(String(decoding: token.headerBytes, as: UTF8.self) == #"{"alg":"ES256","typ":"JWT"}"#)
        return try JSONDecoder().decode(Claims.self, from: Data(token.payload))
    }

    @Test func `sends identifiers and words, encrypted for their receiver`() async throws {
        let network = ScriptedTransport.pushService(201)
        let accepted = await service(over: network).send(try message())
        #expect(accepted == .accepted)
        let sent = try #require(network.sent().first)
        let request = sent.request
        #expect(request.method == .post && request.path == "/send/abc?x=1" && request.authority == "push.example.net")
        func field(_ name: String) throws -> String? { request.headerFields[try #require(HTTPField.Name(name))] }
        #expect(try field("Content-Encoding") == "aes128gcm" && field("TTL") == "60" && field("Urgency") == "high")
        let topic = try #require(try field("Topic"))
        #expect(topic.count == 32 && URLSafeText.decode(topic) != nil && !topic.contains("request"))
        #expect(sent.limit == .seconds(4) && sent.body.count == 86 + 256 + 17)
        #expect(
            try phone.members(of: sent)
                == ["type": "auth_instant", "authId": "request", "message": "A sign-in is waiting. Is it yours?"])
        // One topic for one request, and another for another.
        _ = await service(over: network).send(try message())
        _ = await service(over: network).send(try message(about: "other", lasting: -1))
        let name = try #require(HTTPField.Name("Topic"))
        let topics = network.sent().map { $0.request.headerFields[name] }
        #expect(topics[1] == topic && topics[2] != topic)
        let life = try #require(HTTPField.Name("TTL"))
        #expect(network.sent().map { $0.request.headerFields[life] } == ["60", "60", "0"])
        // No two messages have a key or a salt in common.
        #expect(Set(network.sent().map { $0.body.prefix(16) }).count == 3)
        #expect(Set(network.sent().map { $0.body[21..<86] }).count == 3)
    }

    @Test(arguments: [nil, "mailto:you@example.org"])
    func `proves the server to the origin of the push service, for half a day`(contact: String?) async throws {
        let network = ScriptedTransport.pushService(201)
        let settings = WebPushSettings(contact: contact)
        _ = await service(settings, over: network).send(try message())
        let exp = Int(server.clock.date.timeIntervalSince1970) + 43_200
        let expected = Claims(aud: "https://push.example.net", exp: exp, sub: contact ?? "https://id.example")
        #expect(try claims(of: try #require(network.sent().first)) == expected)
    }

    @Test(.server) func `names no contact for a server at this machine without one`() async throws {
        let network = ScriptedTransport.pushService(201)
        _ = await service(over: network).send(try message())
        #expect(try claims(of: try #require(network.sent().first)).sub == nil)
    }

    @Test func `has one key, which stays where signing keys are replaced`() async throws {
        let keys = server.server.services.keys
        let before = try await keys.current().applicationServerKey.text
        _ = try await server.store.replaceKeys(by: server.server.services.mint, at: server.clock.date)
        keys.forget()
        #expect(try await keys.current().applicationServerKey.text == before)
        #expect(try #require(URLSafeText.decode(before)).count == 65)
        try await TestServer.open { other in
            let foreign = try await other.server.services.keys.current().applicationServerKey.text
            #expect(foreign != before)
        }
    }

    @Test(arguments: [
        (200, DeliveryOutcome.accepted), (201, .accepted), (202, .accepted),
        (404, .deadAddress("status 404")), (410, .deadAddress("status 410")),
        (400, .rejected("status 400")), (401, .rejected("status 401")), (403, .rejected("status 403")),
        (100, .rejected("status 100")), (299, .accepted), (599, .retry("status 599", after: 120)),
        (999, .retry("status 999", after: 120)), (413, .rejected("status 413")), (301, .rejected("status 301")),
        (307, .rejected("status 307")),
        (429, .retry("status 429", after: 120)), (500, .retry("status 500", after: 120)),
        (503, .retry("status 503", after: 120)),
    ])
    func `reads the answer`(status: Int, outcome: DeliveryOutcome) async throws {
        let network = ScriptedTransport.pushService(status, retryAfter: "120")
        let answered = await service(over: network).send(try message())
        #expect(answered == outcome)
        // It follows no redirect.
        #expect(network.sent().count == 1)
    }

    @Test func `tries again later where no answer came`() async throws {
        let network = ScriptedTransport([
            TestPushReceiver.path: [.failure(TransportError(.interrupted, because: "lost"))]
        ])
        let answered = await service(over: network).send(try message())
        #expect(answered == .retry("interrupted"))
    }

    private static let internalAddresses = [
        "https://127.0.0.1/a", "https://10.0.0.1/a", "https://169.254.169.254/a", "https://192.168.1.1/a",
        "https://localhost/a", "https://router/a", "https://ntfy.lan/a", "https://push.internal/a",
        "https://push.example.net:8443/a", "http://127.0.0.1:8080/a",
    ]

    @Test(arguments: internalAddresses + ["https://[::1]/a", "https://8.8.8.8/a", "https://2130706433/a"])
    func `calls public names alone`(endpoint: String) async throws {
        let network = ScriptedTransport(["/a": [.answer(HTTPAnswer(HTTPResponse(status: .created)))]])
        guard case .rejected = await service(over: network).send(try message(at: endpoint)) else {
            Issue.record("It was called.")
            return
        }
        #expect(network.sent().isEmpty)
    }

    @Test(arguments: internalAddresses) func `calls others where the operator allows them`(endpoint: String)
        async throws
    {
        let network = ScriptedTransport(["/a": [.answer(HTTPAnswer(HTTPResponse(status: .created)))]])
        let service = service(WebPushSettings(hosts: .any), over: network)
        let answered = await service.send(try message(at: endpoint))
        #expect(answered == .accepted)
        #expect(network.sent().count == 1)
    }

    @Test func `serves the addresses of Web Push alone`() async throws {
        let service = service(over: ScriptedTransport())
        #expect(PushAddress.Service.allCases.filter(service.serves) == [.web])
        let foreign = PushMessage(
            id: Delivery.ID("d"), to: PushAddress(.web, token: "no subscription"), PushPayload(.instant),
            expires: server.clock.date)
        #expect(await service.send(foreign) == .deadAddress("no subscription"))
    }
}
