import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import PushFixture
import Testing

@testable import CountersignServer

/// Standard: Apple's "Sending notification requests to APNs".
@Suite("Apple's push service")
struct ApplePushServiceTests {
    private let key = P256.Signing.PrivateKey()
    private let clock = ManualClock()
    private static let environment = CustomerSiteID(rawValue: "7c8f0a52-0d55-4a3a-9d53-000000000001")

    private func service(_ base: String, over transport: any HTTPTransport, key: P256.Signing.PrivateKey? = nil) throws
        -> ApplePushService
    {
        try ApplePushService(
            pem: (key ?? self.key).pemRepresentation,
            keyID: "ABC123DEFG",
            team: "DEF123GHIJ",
            topic: "com.example.bank",
            hosts: ApplePushService.Hosts(production: base, sandbox: "\(base)"),
            clock: clock.source,
            over: transport,
            within: .seconds(600)
        )
    }

    private func message(_ kind: PushPayload.Kind? = .instant, app: String? = nil) -> PushMessage {
        PushMessage(
            id: Delivery.ID("delivery"),
            to: PushAddress(
                .apple, token: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0", app: app),
            PushPayload(kind, environment: Self.environment, request: AuthenticationRequest.ID("request")),
            expires: clock.date + 60
        )
    }

    private func run(
        _ test: @escaping @Sendable (ApplePushStandIn, String, any HTTPTransport) async throws -> Void
    ) async throws {
        let standIn = ApplePushStandIn(key: key.publicKey, keyID: "ABC123DEFG", team: "DEF123GHIJ")
        try await ApplePushStandIn.run(standIn) { base, transport in try await test(standIn, base, transport) }
    }

    @Test func `prints nothing of its key, however it is printed`() throws {
        let service = try service("https://push.example.com", over: SystemTransport.make())
        let bytes = Array(key.rawRepresentation)
        for printed in ["\(service)", String(reflecting: service), "\(DeliverySettings(pushServices: [service]))"] {
            #expect(!printed.contains("PRIVATE KEY") && !printed.contains("\(bytes)"), "\(printed)")
            #expect(!printed.contains(Data(bytes).base64EncodedString()), "\(printed)")
        }
    }

    @Test func `gets a message by HTTP/2 with a provider token, and what the older app reads`() async throws {
        try await run { standIn, base, transport in
            #expect(try await service(base, over: transport).send(message()) == .accepted)
            let received = try #require(await standIn.received.first)
            #expect(received.isHTTP2)
            #expect(received.device == message().address.token)
            #expect(received.field("apns-topic") == "com.example.bank")
            #expect(received.field("apns-push-type") == "alert")
            #expect(received.field("apns-priority") == "10")
            #expect(received.field("apns-collapse-id") == "request")
            #expect(received.field("apns-expiration") == "\(Int((clock.date + 60).timeIntervalSince1970))")
            #expect(received.member("envId") as? String == Self.environment.rawValue)
            #expect(received.member("authId") as? String == "request")
            let shown = received.member("aps") as? [String: Any]
            #expect(shown?["category"] as? String == "auth_instant")
            // The app is woken in the background, and its extension may change what is shown.
            #expect(shown?["content-available"] as? Int == 1 && shown?["mutable-content"] as? Int == 1)
        }
    }

    @Test func `gets no category for a one-time password, and the app's own topic`() async throws {
        try await run { standIn, base, transport in
            let sent = message(.oneTimePassword, app: "com.example.other")
            #expect(try await service(base, over: transport).send(sent) == .accepted)
            let received = try #require(await standIn.received.first)
            #expect((received.member("aps") as? [String: Any])?["category"] == nil)
            #expect(received.field("apns-topic") == "com.example.other")
        }
    }

    @Test func `refuses the key of another team for now`() async throws {
        try await run { _, base, transport in
            let outcome = try await service(base, over: transport, key: P256.Signing.PrivateKey()).send(message())
            #expect(outcome == .retry("InvalidProviderToken"))
        }
    }

    @Test(arguments: [
        (410, "Unregistered", DeliveryOutcome.deadAddress("Unregistered")),
        (410, "ExpiredToken", .deadAddress("ExpiredToken")),
        (400, "BadDeviceToken", .deadAddress("BadDeviceToken")),
        (400, "DeviceTokenNotForTopic", .rejected("DeviceTokenNotForTopic")),
        (413, "PayloadTooLarge", .rejected("PayloadTooLarge")),
        (429, "TooManyRequests", .retry("TooManyRequests")),
        (500, "InternalServerError", .retry("InternalServerError")),
        (503, "Shutdown", .retry("Shutdown")),
    ])
    func `says what becomes of a message`(status: Int, reason: String, expected: DeliveryOutcome) async throws {
        try await run { standIn, base, transport in
            await standIn.refuse(status, reason)
            let outcome = try await service(base, over: transport).send(message())
            #expect(outcome == expected)
        }
    }

    @Test func `gets the same token for 50 minutes, and a new one at once when it says that it is too old, once`()
        async throws
    {
        try await run { standIn, base, transport in
            let service = try self.service(base, over: transport)
            @Sendable func tokens() async -> [String] { await standIn.received.map { $0.fields[.authorization] ?? "" } }
            #expect(await service.send(message()) == .accepted)
            clock.advance(by: .seconds(49 * 60))
            #expect(await service.send(message()) == .accepted)
            #expect(Set(await tokens()).count == 1)
            clock.advance(by: .seconds(2 * 60))
            #expect(await service.send(message()) == .accepted)
            #expect(Set(await tokens()).count == 2)
            await standIn.refuse(403, "ExpiredProviderToken")
            clock.advance(by: .seconds(1))
            #expect(await service.send(message()) == .accepted)
            #expect(Set(await tokens()).count == 3)
            // Apple refuses those who make tokens too often.
            await standIn.refuse(403, "ExpiredProviderToken")
            clock.advance(by: .seconds(60))
            #expect(await service.send(message()) == .retry("ExpiredProviderToken"))
            #expect(Set(await tokens()).count == 3)
        }
    }

    @Test func `is asked nothing about a token that is none`() async throws {
        let network = ScriptedTransport([:])
        let service = try self.service("https://push.example", over: network)
        for token in ["", "../../secret", "a b", "ä"] {
            let message = PushMessage(
                id: Delivery.ID("d"),
                to: PushAddress(.apple, token: token),
                PushPayload(.instant),
                expires: clock.date
            )
            #expect(await service.send(message) == .deadAddress("no device token"))
        }
        #expect(network.sent().isEmpty)
    }
}
