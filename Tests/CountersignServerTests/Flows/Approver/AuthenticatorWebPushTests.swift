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

@Suite("An enrolled device of UnifiedPush", .server)
struct AuthenticatorWebPushTests {
    private let server = TestServer.current
    private let receiver = TestPushReceiver()

    private func register(_ device: TestApprover, at endpoint: String = TestPushReceiver.endpoint) async throws
        -> TestResponse
    {
        let subscription = try receiver.subscription(at: endpoint)
        return try await device.register { ($0.pushSubscription, $0.isPushEnabled) = (subscription, true) }
    }

    @Test func `learns the key of the server, names its address, and is told of a request`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let device = try await server.authenticator()
        let key = try await server.server.services.keys.current().applicationServerKey.text
        #expect(try await device.send(.get, "device").json(DeviceRegistration.self).webPushKey == key)
        let answer = try await register(device)
        #expect(answer.status == .ok, "\(answer.text)")
        let registration = try answer.json(DeviceRegistration.self)
        #expect(registration.isPushEnabled && registration.pushToken == TestPushReceiver.endpoint)
        #expect(registration.webPushKey == key && !answer.text.contains("auth\""))

        _ = try await client.asked(["binding_message": "Order 42"])
        let network = ScriptedTransport.pushService(201)
        try await server.server.deliveries(over: network).deliver()
        let members = try receiver.members(of: try #require(network.sent().first))
        let entry = try #require(try await device.entries().first)
        #expect(members["authId"] == entry.exchange.rawValue && members["type"] == "auth_instant")
        #expect(Set(members.keys) == ["type", "authId", "message"])
    }

    @Test func `belongs to one device, and gets nothing more at a dead address`() async throws {
        let client = try await TestBackchannelClient.add(to: server)
        let (first, second) = (try await server.authenticator(), try await server.authenticator())
        _ = try await register(first)
        _ = try await register(second)
        #expect(try await first.send(.get, "device").json(DeviceRegistration.self).pushToken == nil)
        _ = try await client.asked()
        let network = ScriptedTransport.pushService(410)
        try await server.server.deliveries(over: network).deliver()
        #expect(network.sent().count == 1)
        _ = try await client.asked()
        try await server.server.deliveries(over: network).deliver()
        #expect(network.sent().count == 1)
        // It is registered again with the next start of the app.
        _ = try await register(second)
        #expect(try await second.send(.get, "device").json(DeviceRegistration.self).pushToken != nil)
    }

    @Test(arguments: [
        "https://127.0.0.1/a", "https://192.168.0.7/a", "https://ntfy.lan/a", "https://ntfy/a",
        "https://web.push.apple.com:8443/a", "http://127.0.0.1/a", "https://ntfy.sh/a",
    ])
    func `is refused with an address that the server does not call`(endpoint: String) async throws {
        let device = try await server.authenticator()
        let answer = try await register(device, at: endpoint)
        #expect(answer.error == .invalidRequest)
        #expect(try await device.send(.get, "device").json(DeviceRegistration.self).pushToken == nil)
    }

    @Test func `is told which push service the server does not call`() async throws {
        let answer = try await register(try await server.authenticator(), at: "https://ntfy.sh/a")
        let words = try answer.json(OAuthErrorResponse.self).description
        #expect(words == "This server sends nothing to ntfy.sh; its operator names it by --web-push.")
    }

    @Test(.server { $0.delivery.webPush = WebPushSettings(hosts: [.host("ntfy.lan:8443")]) })
    func `is registered at an address of the operator's network where that is named`() async throws {
        let device = try await server.authenticator()
        #expect(try await register(device, at: "https://ntfy.lan:8443/a").status == .ok)
    }

    @Test(.server { $0.delivery.webPush = nil }) func `is refused where the operator turned it off`() async throws {
        let device = try await server.authenticator()
        #expect(try await register(device).error == .invalidRequest)
        #expect(try await device.send(.get, "device").json(DeviceRegistration.self).webPushKey == nil)
    }

    @Test func `names one address`() async throws {
        let device = try await server.authenticator()
        let subscription = try receiver.subscription()
        let both = try await device.register { ($0.pushSubscription, $0.pushToken) = (subscription, "00ffa0") }
        #expect(both.error == .invalidRequest)
        let hidden = try await device.register { $0.pushToken = subscription.text }
        #expect(hidden.error == .invalidRequest)
    }
}
