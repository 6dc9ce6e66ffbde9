import Countersign
import CountersignApprover
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import Testing

/// Standard: RFC 8291.
@Suite("An authenticator of UnifiedPush")
struct WebPushTests {
    private let fixture = AuthenticatorFixture()
    private static let endpoint = "https://push.example.net/abc"

    private func answers(_ replies: ScriptedTransport.Reply...) {
        fixture.transport.reply(at: "/authenticator/device", with: replies)
    }

    private func message(_ text: String, to subscription: WebPushSubscription) throws -> [UInt8] {
        try WebPushMessage.encrypted(
            Array(text.utf8), to: subscription, from: P256.KeyAgreement.PrivateKey(),
            salt: RandomSource.system.bytes(16))
    }

    @Test func `registers its address with keys that it keeps, and learns the key of the server`() async throws {
        var registration = fixture.registration(.verified)
        registration.webPushKey = "BKey"
        answers(.json(registration))
        let first = try await fixture.approver.register(webPushAt: Self.endpoint, drawingFrom: .system)
        #expect(first.webPushKey == "BKey")
        try await fixture.restarted.register(webPushAt: "https://push.example.net/next", drawingFrom: .system)
        let said = try fixture.said.map { try #require($0.pushSubscription) }
        #expect(said.map(\.endpoint) == [Self.endpoint, "https://push.example.net/next"])
        #expect(said[0].publicKey == said[1].publicKey && said[0].secret == said[1].secret)
        #expect(try fixture.said.map(\.isPushEnabled) == [true, true])
        #expect(try fixture.said.allSatisfy { $0.pushToken == nil })
    }

    @Test func `reads the messages for it, also after a restart, and no others`() async throws {
        answers(.json(fixture.registration(.verified)))
        try await fixture.approver.register(webPushAt: Self.endpoint, drawingFrom: .system)
        let subscription = try #require(try fixture.said.last?.pushSubscription)
        let body = try message(#"{"type":"auth_instant","authId":"one","message":"words"}"#, to: subscription)
        let expected = PushPayload(.instant, request: AuthenticationRequest.ID("one"))
        #expect(try await fixture.approver.payload(ofWebPush: body) == expected)
        #expect(try await fixture.restarted.payload(ofWebPush: body) == expected)

        let other = try #require(WebPushReceiver(drawingFrom: .system).subscription(at: Self.endpoint))
        let bad = [
            try message("{}", to: other), try message("no JSON", to: subscription), [], Array(body.dropLast()),
        ]
        for body in bad {
            let error = await #expect(throws: ApprovalError.self) {
                try await fixture.approver.payload(ofWebPush: body)
            }
            #expect(error?.code == .badAnswer)
        }
    }

    @Test(arguments: ["", "push", "http://push.example.net/a", "ftp://push.example.net/a"])
    func `takes no address that is not https`(endpoint: String) async throws {
        let error = await #expect(throws: ApprovalError.self) {
            try await fixture.approver.register(webPushAt: endpoint, drawingFrom: .system)
        }
        #expect(error?.code == .refused)
        #expect(fixture.transport.sent().isEmpty && fixture.items.all.isEmpty)
    }

    @Test func `learns from the server which push service that does not call`() async throws {
        let words = "This server sends nothing to push.example.net; its operator names it by --web-push."
        let refusal = OAuthErrorResponse(OAuthError(.invalidRequest, words, because: "a test"))
        answers(.json(refusal, status: .badRequest))
        let error = await #expect(throws: ApprovalError.self) {
            try await fixture.approver.register(webPushAt: Self.endpoint, drawingFrom: .system)
        }
        #expect(error?.code == .refused && error?.sentence == words)
    }

    @Test func `forgets its keys when it is removed`() async throws {
        answers(.json(fixture.registration(.verified)), .answer(HTTPAnswer(HTTPResponse(status: .noContent))))
        try await fixture.approver.register(webPushAt: Self.endpoint, drawingFrom: .system)
        #expect(!fixture.items.all.isEmpty)
        try await fixture.approver.unregister()
        #expect(fixture.items.all.isEmpty)
    }
}
