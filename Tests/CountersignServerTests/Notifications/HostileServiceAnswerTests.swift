import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import Testing

@testable import CountersignServer

/// A network that gives one answer to everything.
private struct OneAnswer: HTTPTransport {
    let answer: HTTPAnswer

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        answer
    }
}

/// Answers of gateways, push services and providers that no honest one sends. None of them may end the process.
@Suite("A hostile answer of a service that the server calls")
struct HostileServiceAnswerTests {
    private static let clock = ManualClock()
    /// Every status that a transport of an app's own may hand over.
    private static let statuses = [
        0, 99, 100, 199, 200, 202, 204, 299, 301, 400, 401, 403, 404, 410, 429, 500, 503, 999,
    ]
    private static let bodies = [
        "", "null", "true", "5", "1e999", "[]", "{}", "\"text\"", "{\"error\":null}", "{\"error\":5}",
        "{\"reason\":[]}",
        "{\"reason\":5,\"code\":1e999}", "{\"code\":99999999999999999999}", "{\"code\":\"21211\"}",
        "{\"errorCode\":-9223372036854775808,\"messages\":[null,{\"messageErrorCode\":\"x\"}]}",
        "{\"errorCode\":9223372036854775807,\"messages\":{}}",
        "{\"error\":{\"details\":[null,{\"errorCode\":5,\"fieldViolations\":[null]}],\"status\":{}}}",
        "{\"access_token\":\"a\",\"expires_in\":1e999}", "{\"access_token\":\"a\",\"expires_in\":-9223372036854775808}",
        "{\"access_token\":\"a\",\"expires_in\":\"9223372036854775807\"}", "{\"issuer\":5,\"jwks_uri\":{}}",
        "{\"issuer\":\"https://id.example.com\",\"jwks_uri\":\"https://127.0.0.1:99999/\"}", "{\"keys\":[null,5,{}]}",
        String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
    ]
    private static let waits = ["5", "-1", "99999999999999999999", "1e9", "Sun, 06 Nov 1994 08:49:37 GMT", ""]

    /// Runs a client with every answer.
    private func withEachAnswer(_ client: (any HTTPTransport) async throws -> Void) async throws {
        for (place, body) in Self.bodies.enumerated() {
            for status in Self.statuses {
                let head = HTTPResponse(
                    status: HTTPResponse.Status(code: status),
                    headerFields: [
                        .contentType: place % 5 == 4 ? "" : "application/json",
                        .retryAfter: Self.waits[(place + status) % Self.waits.count],
                    ])
                try await client(OneAnswer(answer: HTTPAnswer(head, body: Array(body.utf8))))
            }
        }
    }

    private func push(_ service: PushAddress.Service) -> PushMessage {
        PushMessage(
            id: Delivery.ID("delivery"),
            to: PushAddress(service, token: "0011"),
            PushPayload(
                .instant, environment: CustomerSiteID(rawValue: "7c8f0a52-0d55-4a3a-9d53-000000000001"),
                request: AuthenticationRequest.ID("request")),
            expires: Self.clock.date + 60)
    }

    @Test func `of Apple's push service ends in an outcome`() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        try await withEachAnswer { network in
            let service = try ApplePushService(
                pem: pem, keyID: "ABC123DEFG", team: "DEF123GHIJ", topic: "com.example.bank",
                clock: Self.clock.source, over: network)
            _ = await service.send(push(.apple))
        }
    }

    @Test func `of Google's push service ends in an outcome`() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let file: [String: String] = [
            "project_id": "bank", "client_email": "push@bank.example", "private_key": key.pemRepresentation,
            "token_uri": "https://oauth2.example/token",
        ]
        let account = try GoogleServiceAccount(Array(try JSONEncoder().encode(file)))
        try await withEachAnswer { network in
            let service = try GooglePushService(
                account, at: "https://fcm.example", clock: Self.clock.source, over: network)
            _ = await service.send(push(.google))
        }
    }

    @Test func `of a gateway for text messages ends in an outcome`() async throws {
        let message = TextMessage(
            id: Delivery.ID("delivery"), to: try PhoneNumber("+31612345678"), MessageText(revealing: "123456"),
            expires: Self.clock.date + 600)
        let secret = GatewayCredential(revealing: "secret")
        try await withEachAnswer { network in
            let cm = CMGateway(
                try Endpoint("https://sms.example.com/v1.0/message"), token: secret, sender: "Bank", over: network)
            let twilio = try TwilioGateway(
                "https://sms.example.com", account: "AC1", secret: secret, sender: "+15005550006",
                clock: Self.clock.source, over: network)
            for gateway in [cm, twilio] as [any SMSGateway] { _ = await gateway.send(message) }
        }
    }

    @Test func `of a customer's server ends in an outcome`() async throws {
        try await withEachAnswer { network in
            let message = WebhookMessage(address: "https://bank.example/decided", token: "token")
            _ = await WebhookCaller(source: nil, transport: network).call(message, as: Delivery.ID("delivery"))
        }
    }

    @Test func `of another provider is a failure or what was asked for`() async throws {
        let issuer = IdentityIssuer("https://id.example.com")
        let keys = try Endpoint("https://id.example.com/keys")
        try await withEachAnswer { network in
            for step in 0..<2 {
                do {
                    if step == 0 {
                        _ = try await ProviderMetadata.ask(issuer, over: network)
                    } else {
                        _ = try await ProviderMetadata.keys(at: keys, over: network)
                    }
                } catch {
                    #expect(error is ProviderError, "\(error)")
                }
            }
        }
    }
}
