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

    @Test(arguments: [513, 2048])
    func `sends to addresses that are longer than those of clients, up to the longest of all`(length: Int) throws {
        let start = "https://web.push.apple.com/"
        let endpoint = start + String(repeating: "a", count: length - start.utf8.count)
        let subscription = try phone.subscription(at: endpoint)
        #expect(WebPushSettings().objection(to: subscription) == nil)
        #expect(NotificationAddress.objection(to: endpoint, isSelfRegistered: true)?.contains("512") == true)
        #expect(phone.receiver.subscription(at: start + String(repeating: "a", count: 2049 - start.utf8.count)) == nil)
    }

    @Test func `sends identifiers and words, encrypted for their receiver`() async throws {
        let network = ScriptedTransport.pushService(201)
        let accepted = await service(over: network).send(try message())
        #expect(accepted == .accepted)
        let sent = try #require(network.sent().first)
        let request = sent.request
        #expect(request.method == .post && request.path == "/send/abc?x=1" && request.authority == "web.push.apple.com")
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
        let expected = Claims(aud: "https://web.push.apple.com", exp: exp, sub: contact ?? "https://id.example")
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
        "https://127.0.0.1/a", "https://10.0.0.1/a", "https://169.254.169.254/a", "https://192.168.1.1:8443/a",
        "https://ntfy.lan/a", "https://push.internal/a", "https://router:8443/a", "http://127.0.0.1:8080/a",
        "http://localhost:8080/a", "http://[::1]:8080/a",
    ]

    /// Whether a server with these settings calls an address.
    private func calls(_ endpoint: String, by settings: WebPushSettings = WebPushSettings()) async throws -> Bool {
        let path = try #require(URL(string: endpoint)).path
        let network = ScriptedTransport([path: [.answer(HTTPAnswer(HTTPResponse(status: .created)))]])
        let outcome = await service(settings, over: network).send(try message(at: endpoint))
        #expect(network.sent().count == (outcome == .accepted ? 1 : 0))
        return outcome == .accepted
    }

    @Test(arguments: [
        "https://fcm.googleapis.com/fcm/send/a", "https://updates.push.services.mozilla.com/wpush/v2/a",
        "https://web.push.apple.com/a", "https://wns2-par02p.notify.windows.com/w/a",
        "https://FCM.googleapis.com:443/a",
    ])
    func `calls the push services of browsers`(endpoint: String) async throws {
        #expect(try await calls(endpoint))
    }

    @Test(
        arguments: internalAddresses + [
            "https://[::1]/a", "https://8.8.8.8/a", "https://2130706433/a", "https://localhost/a", "https://ntfy.sh/a",
            "https://fcm.googleapis.com:8443/a", "https://fcm.googleapis.com./a", "https://a.fcm.googleapis.com/a",
            "https://fcm.googleapis.com.evil.example/a", "https://push.apple.com/a", "https://evilpush.apple.com/a",
            "https://push.apple.com.evil.example/a", "https://evil.example/.push.apple.com",
            "https://evil.example%2F.push.apple.com/a", "https://127.0.0.1%2F.push.apple.com/a",
            "https://evil.example%00.push.apple.com/a", "https://.push.apple.com/a", "https://web.push.apple.com./a",
            "https://anna@web.push.apple.com/a", "https://evil.example@web.push.apple.com/a",
        ])
    func `calls no other ones`(endpoint: String) async throws {
        // Some are no endpoint at all.
        if phone.receiver.subscription(at: endpoint) != nil { #expect(try await !calls(endpoint)) }
    }

    @Test(arguments: internalAddresses) func `calls an inner host where it is named exactly`(endpoint: String)
        async throws
    {
        let authority = try #require(endpoint.firstMatch(of: /https?:\/\/([^\/]+)/)).1
        let host = try #require(WebPushHost(parsing: String(authority)))
        #expect(try await calls(endpoint, by: WebPushSettings(hosts: [host])))
        let others = [
            WebPushHost(parsing: "\(authority.prefix { $0 != ":" }).example:9"), .hosts(below: "example.org"),
        ]
        #expect(try await !calls(endpoint, by: WebPushSettings(hosts: others.compactMap(\.self))))
    }

    @Test(arguments: [
        ("ntfy.sh", false), ("*.example.org", false), ("127.0.0.1:8080", false), ("fcm.googleapis.com", true),
        ("*.googleapis.com", true), ("*.push.apple.com", true), ("*.apple.com", true),
        ("*.web.push.apple.com", true), ("web.push.apple.com", true), ("*.notapple.com", false),
    ]) func `knows whether the services of browsers are among those that it calls`(host: String, isAmong: Bool) throws {
        let host = try #require(WebPushHost(parsing: host))
        #expect(WebPushSettings(hosts: [host]).callsBrowsers == isAmong)
        #expect(WebPushSettings(hosts: WebPushHost.browsers + [host]).callsBrowsers)
    }

    @Test func `calls the hosts below a domain that is named, at public names and the usual port`() async throws {
        let below = WebPushSettings(hosts: [try #require(WebPushHost(parsing: "*.Example.org"))])
        #expect(try await calls("https://a.b.example.org/a", by: below))
        for other in ["https://example.org/a", "https://a.example.org:8443/a", "https://aexample.org/a"] {
            #expect(try await !calls(other, by: below), "\(other)")
        }
    }

    @Test(
        arguments: [
            ("ntfy.sh", .host("ntfy.sh")), ("NTFY.sh:443", .host("ntfy.sh")),
            ("ntfy.lan:8443", .host("ntfy.lan:8443")), ("ntfy:8443", .host("ntfy:8443")),
            ("10.0.0.5", .host("10.0.0.5")),
            ("*.example.org", .hosts(below: "example.org")), ("", nil), ("any", nil), ("public", nil), ("off", nil),
            ("https://ntfy.sh", nil), ("ntfy.sh/a", nil), ("ntfy.sh.", nil), ("*", nil), ("*.", nil), ("*.org", nil),
            ("*.lan", nil), ("*.ntfy.lan", nil), ("*.0.0.1", nil), ("a.*.org", nil), ("*.example.org:443", nil),
            ("ntfy.sh@evil.example", nil), ("ntfy.sh:99999", nil), ("[::1]:8080", .host("[::1]:8080")),
            ("[fd00::1]:8443", nil), ("*.[fd00::1]", nil), ("*.*.example.org", nil), ("bücher.example", nil),
        ] as [(String, WebPushHost?)])
    func `knows hosts by their names`(text: String, host: WebPushHost?) {
        #expect(WebPushHost(parsing: text) == host)
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
