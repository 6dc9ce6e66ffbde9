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

/// Plays Google: it verifies the statement of the service account, and the access token of each message.
private actor GoogleStandIn: HTTPTransport {
    let key: _RSA.Signing.PublicKey
    let clock: ManualClock
    private(set) var messages: [[String: Any]] = []
    private(set) var paths: [String] = []
    private(set) var tokensGiven = 0
    private var answers: [(Int, String)] = []
    private var isRevoked = false

    init(key: _RSA.Signing.PublicKey, clock: ManualClock) {
        self.key = key
        self.clock = clock
    }

    func answerNext(_ status: Int, _ body: String) { answers.append((status, body)) }
    func revoke() { isRevoked = true }

    /// The data of the last message.
    var data: [String: String] { (messages.last?["data"] as? [String: String]) ?? [:] }
    /// A text of what the last message says to Android.
    func android(_ name: String) -> String? { (messages.last?["android"] as? [String: Any])?[name] as? String }

    nonisolated func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let (status, text) = await answer(request, body)
        let head = HTTPResponse(
            status: HTTPResponse.Status(code: status), headerFields: [.contentType: "application/json"])
        return HTTPAnswer(head, body: Array(text.utf8))
    }

    private struct Claims: Decodable {
        let iss, scope, aud: String
        let iat, exp: Int
    }

    private func answer(_ request: HTTPRequest, _ body: [UInt8]) -> (Int, String) {
        switch request.path {
        case "/token":
            let form = (try? Form(parsing: body)) ?? Form()
            guard form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer",
                let parts = form["assertion"].flatMap({ CompactJWS($0) }),
                let claims = try? JSONDecoder().decode(Claims.self, from: Data(parts.payload)),
                claims.iss == "push@bank.example", claims.aud == "https://oauth2.example/token",
                claims.scope == "https://www.googleapis.com/auth/firebase.messaging",
                claims.exp - claims.iat == 3600, claims.iat == Int(clock.date.timeIntervalSince1970),
                key.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: Data(parts.signature)),
                    for: parts.signedBytes,
                    padding: .insecurePKCS1v1_5
                )
            else { return (401, #"{"error":"invalid_grant"}"#) }
            tokensGiven += 1
            isRevoked = false
            return (200, #"{"access_token":"token-\#(tokensGiven)","expires_in":3599,"token_type":"Bearer"}"#)
        case let path? where path.hasPrefix("/v1/projects/"):
            paths.append(path)
            guard !isRevoked, request.headerFields[.authorization] == "Bearer token-\(tokensGiven)" else {
                return (401, #"{"error":{"code":401,"status":"UNAUTHENTICATED"}}"#)
            }
            let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
            messages.append(object?["message"] as? [String: Any] ?? [:])
            return answers.isEmpty ? (200, #"{"name":"projects/bank/messages/1"}"#) : answers.removeFirst()
        default:
            return (404, "")
        }
    }
}

/// Standard: the FCM HTTP v1 API.
@Suite("Google's push service")
struct GooglePushServiceTests {
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
    private let clock = ManualClock()
    private static let environment = CustomerSiteID(rawValue: "7c8f0a52-0d55-4a3a-9d53-000000000001")

    private func account() throws -> [UInt8] {
        let file = [
            "type": "service_account", "project_id": "bank", "private_key_id": "key-1",
            "private_key": try Self.key.get().pemRepresentation, "client_email": "push@bank.example",
            "token_uri": "https://oauth2.example/token",
        ]
        return Array(try JSONEncoder().encode(file))
    }

    private func made() throws -> (GooglePushService, GoogleStandIn) {
        let standIn = GoogleStandIn(key: try Self.key.get().publicKey, clock: clock)
        let service = try GooglePushService(
            try GoogleServiceAccount(try account()),
            at: "https://fcm.example",
            clock: clock.source,
            over: standIn
        )
        return (service, standIn)
    }

    private func message(_ kind: PushPayload.Kind? = .instant, app: String? = nil) -> PushMessage {
        PushMessage(
            id: Delivery.ID("delivery"),
            to: PushAddress(.google, token: "fcm-token", app: app),
            PushPayload(kind, environment: Self.environment, request: AuthenticationRequest.ID("request")),
            expires: clock.date + 60
        )
    }

    @Test func `prints nothing of its key, however it is printed`() throws {
        let (service, account) = (try made().0, try GoogleServiceAccount(try account()))
        let bytes = Array(try Self.key.get().derRepresentation)
        for value in [service, account] as [Any] {
            for printed in ["\(value)", String(reflecting: value)] {
                #expect(!printed.contains("PRIVATE KEY") && !printed.contains("\(bytes)"), "\(printed)")
                #expect(!printed.contains(Data(bytes).base64EncodedString()), "\(printed)")
            }
        }
    }

    @Test(arguments: [(String?.none, "bank"), ("shop-1", "shop-1"), ("example.com:shop", "example.com:shop")])
    func `is asked in the project of the app, or in that of the account`(app: String?, project: String) async throws {
        let (service, standIn) = try made()
        #expect(await service.send(message(app: app)) == .accepted)
        #expect(await standIn.paths == ["/v1/projects/\(project)/messages:send"])
    }

    @Test(arguments: ["", "..", "a/b", "a?b", "a b", "é"])
    func `is asked nothing for what is no project`(app: String) async throws {
        let (service, standIn) = try made()
        #expect(await service.send(message(app: app)) == .rejected("no project"))
        #expect(await standIn.tokensGiven == 0)
        #expect(await standIn.paths.isEmpty)
    }

    @Test(arguments: [PushPayload.Kind.instant, .oneTimePassword, .scan])
    func `gets the members that the older app reads`(kind: PushPayload.Kind) async throws {
        let (service, standIn) = try made()
        #expect(await service.send(message(kind)) == .accepted)
        let data = await standIn.data
        #expect(data["type"] == kind.rawValue)
        #expect(data["authId"] == "request" && data["envId"] == Self.environment.rawValue)
        #expect(data["message"]?.isEmpty == false)
        #expect(await standIn.android("priority") == "high")
        #expect(await standIn.android("ttl") == "60s")
        #expect(await standIn.android("collapse_key") == "request")
    }

    @Test func `gives an access token that is used until it ends, and another when it is refused`() async throws {
        let (service, standIn) = try made()
        #expect(await service.send(message()) == .accepted)
        clock.advance(by: .seconds(3500))
        #expect(await service.send(message()) == .accepted)
        #expect(await standIn.tokensGiven == 1)
        clock.advance(by: .seconds(40))
        #expect(await service.send(message()) == .accepted)
        #expect(await standIn.tokensGiven == 2)
        await standIn.revoke()
        #expect(await service.send(message()) == .accepted)
        #expect(await standIn.tokensGiven == 3)
    }

    @Test(arguments: [
        (
            404, #"{"error":{"status":"NOT_FOUND","details":[{"errorCode":"UNREGISTERED"}]}}"#,
            DeliveryOutcome.deadAddress("UNREGISTERED")
        ),
        (
            400,
            #"{"error":{"status":"INVALID_ARGUMENT","details":[{"fieldViolations":[{"field":"message.token"}]}]}}"#,
            .deadAddress("INVALID_ARGUMENT")
        ),
        (400, #"{"error":{"status":"INVALID_ARGUMENT"}}"#, .rejected("INVALID_ARGUMENT")),
        (
            403, #"{"error":{"status":"PERMISSION_DENIED","details":[{"errorCode":"SENDER_ID_MISMATCH"}]}}"#,
            .rejected("SENDER_ID_MISMATCH")
        ),
        (403, #"{"error":{"status":"PERMISSION_DENIED"}}"#, .retry("PERMISSION_DENIED")),
        (429, #"{"error":{"status":"RESOURCE_EXHAUSTED"}}"#, .retry("RESOURCE_EXHAUSTED")),
        (503, "busy", .retry("status 503")),
        (500, "{", .retry("status 500")),
    ])
    func `says what becomes of a message`(status: Int, body: String, expected: DeliveryOutcome) async throws {
        let (service, standIn) = try made()
        await standIn.answerNext(status, body)
        #expect(await service.send(message()) == expected)
    }

    @Test(arguments: ["", "{}", #"{"project_id":"a/b"}"#])
    func `needs a key file that is one`(text: String) {
        #expect(throws: GoogleServiceAccount.ParsingError.noAccount) {
            try GoogleServiceAccount(Array(text.utf8))
        }
    }
}
