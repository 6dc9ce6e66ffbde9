import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignApprover

/// Features 137 to 141.
@Suite("An answer of a device")
struct AnsweringTests {
    private let fixture = AuthenticatorFixture()

    private func answering(
        _ answer: RequestAnswer,
        to shown: InboxRequestDescription
    ) async -> ApprovalError.Code? {
        let authenticator = fixture.authenticator
        return await code { () async throws(ApprovalError) in try await authenticator.answer(answer, to: shown) }
    }

    @Test func `begins with a look that is repeated while the server is away and the request waits`() async throws {
        let fixture = fixture
        fixture.transport.reply(at: "/authenticator/inbox", with: fixture.listed([fixture.entry(lasting: 300)]))
        let waiting = try #require(try await fixture.authenticator.waitingRequests().first)
        let away = [ScriptedTransport.Reply](repeating: .status(.serviceUnavailable), count: 40)
        let text = ScriptedTransport.Reply.text(fixture.lookText(lasting: 300), type: "application/json")
        fixture.transport.reply(at: "/approver/look", with: away + [text])
        #expect(try await fixture.authenticator.look(at: waiting).id == waiting.id)

        func failure() async -> ApprovalError.Code? {
            await code { () async throws(ApprovalError) in _ = try await fixture.authenticator.look(at: waiting) }
        }
        fixture.transport.reply(at: "/approver/look", with: .status(.serviceUnavailable))
        #expect(await failure() == .unreachable)
        fixture.transport.reply(at: "/approver/look", with: .status(.unauthorized))
        #expect(await failure() == .signedOut)
    }

    @Test func `prints nothing of the code or the nonce`() async throws {
        let shown = try await fixture.shown(fixture.lookText(kind: "otp"))
        var dumped = ""
        dump(shown, to: &dumped)
        for text in ["\(shown)", "\(Optional(shown) as Any)", dumped] {
            #expect(text.contains("redacted") && !text.contains("12345"))
        }
    }

    @Test func `is based on who asks, what for, when and from where`() async throws {
        let shown = try await fixture.shown()
        #expect(shown.accountName == "Anna" && shown.kind == .instant && shown.pin == nil)
        #expect(shown.client == .verified(ClientID("bank")) && shown.clientName == .verified("The Bank"))
        #expect(shown.environment?.name == "Bank" && shown.message == .asserted("Pay 10 euros"))
        #expect(shown.address == .asserted("192.0.2.7") && shown.placeName == "Breda, NL")
        #expect(shown.asked == .observed(fixture.clock.date) && shown.deadline == fixture.clock.date + 60)
        #expect(fixture.transport.sent(to: "/approver/look").map { $0.form["request"] } == ["r1"])
    }

    @Test(arguments: [
        (RequestAnswer.approve(), DecisionClaims.Answer.approve), (.deny, .deny),
        (.report(reason: "I am asleep"), .report),
    ])
    func `is signed over the request, the nonce, what was shown and the time`(
        answer: RequestAnswer,
        claim: DecisionClaims.Answer
    ) async throws {
        let shown = try await fixture.shown()
        fixture.decided(claim)
        try await fixture.authenticator.answer(answer, to: shown)
        let claims = try #require(try fixture.decisions.first)
        #expect(claims.audience == "https://id.example.com" && claims.exchange == SignInRequest.ID("r1"))
        #expect(claims.nonce == DecisionNonce(revealing: "nonce") && claims.answer == claim)
        // The bytes as they came, which are not those that this side would have written.
        #expect(claims.shown == AnswerDigest(of: Array(fixture.lookText().utf8)))
        #expect(claims.issued == fixture.now)
        #expect(claims.finding == .inbox(InboxFinding(reason: claim == .report ? "I am asleep" : nil)))
    }

    @Test func `has the number of the other screen, or is not sent`() async throws {
        let shown = try await fixture.shown(fixture.lookText(digits: 2))
        fixture.decided(.approve)
        for typed in [nil, "", "4", "421", "x"] {
            #expect(await answering(.approve(number: typed), to: shown) == .digitsNeeded)
        }
        #expect(try fixture.decisions.isEmpty)
        #expect(await answering(.approve(number: " 4 ٢"), to: shown) == nil)
        #expect(try fixture.decisions.map(\.finding) == [.inbox(InboxFinding(number: "42"))])
        fixture.decided(.deny)
        #expect(await answering(.deny, to: shown) == nil)
    }

    @Test func `with another number may be given again, until the server ends the request`() async throws {
        let shown = try await fixture.shown(fixture.lookText(digits: 2))
        fixture.transport.reply(at: "/approver/decide", with: .error(.invalidNumber), .error(.invalidGrant))
        #expect(await answering(.approve(number: "11"), to: shown) == .wrongNumber)
        #expect(await answering(.approve(number: "12"), to: shown) == .nothingToDecide)
    }

    @Test func `is for open requests to approve alone`() async throws {
        let passcode = try await fixture.shown(fixture.lookText(kind: "otp"))
        #expect(passcode.pin == "12345" && passcode.kind == .oneTimePassword)
        for answer in [RequestAnswer.approve(), .deny, .report()] {
            #expect(await answering(answer, to: passcode) == .notAnswerable)
        }
        let shown = try await fixture.shown()
        fixture.clock.advance(by: .seconds(60))
        for answer in [RequestAnswer.approve(), .deny, .report()] {
            #expect(await answering(answer, to: shown) == .expired)
        }
        #expect(fixture.transport.sent(to: "/approver/decide").isEmpty)
    }

    @Test func `is not given to a request that is over by the server's clock`() async throws {
        fixture.looks(fixture.lookText(lasting: 0))
        let authenticator = fixture.authenticator
        #expect(
            await code { () async throws(ApprovalError) in _ = try await authenticator.look(at: SignInRequest.ID("r1"))
            }
                == .expired)
        fixture.looks(fixture.lookText("r2"))
        #expect(
            await code { () async throws(ApprovalError) in _ = try await authenticator.look(at: SignInRequest.ID("r1"))
            }
                == .badAnswer)
    }

    @Test(arguments: [-10_800.0, 10_800])
    func `is dated by the server's clock, however wrong the phone's is`(skew: Double) async throws {
        let server = Int(fixture.clock.date.timeIntervalSince1970 + skew)
        let shown = try await fixture.shown(fixture.lookText(serverTime: server))
        fixture.decided(.approve)
        fixture.clock.advance(by: .seconds(7))
        try await fixture.authenticator.answer(.approve(), to: shown)
        #expect(try fixture.decisions.map(\.issued) == [server + 7])
    }

    @Test func `that may have been recorded is not called a failure`() async throws {
        let shown = try await fixture.shown()
        for failure in [TransportError.Code.interrupted, .timedOut] {
            fixture.transport.reply(at: "/approver/decide", with: .failure(TransportError(failure, because: "")))
            #expect(await answering(.deny, to: shown) == .outcomeUnknown)
        }
        fixture.decided(.approve)
        #expect(await answering(.deny, to: shown) == .badAnswer)
        fixture.transport.reply(
            at: "/approver/decide",
            with: .json(
                OAuthErrorResponse(OAuthError(.accessDenied, because: "")), status: .forbidden))
        #expect(await answering(.approve(), to: shown) == .policyRefused)
    }

    @Test func `has a reason that is cut to what the server reads`() async throws {
        let shown = try await fixture.shown()
        fixture.decided(.report)
        try await fixture.authenticator.answer(.report(reason: String(repeating: "é", count: 150)), to: shown)
        let finding = try fixture.decisions.first?.finding
        #expect(finding == .inbox(InboxFinding(reason: String(repeating: "é", count: 100))))
    }

    // MARK: Push messages

    @Test func `begins with a push message that holds identifiers only`() async throws {
        fixture.looks(fixture.lookText())
        let authenticator = fixture.authenticator
        let apple = PushPayload(["authId": "r1", "envId": 5], category: "auth_instant")
        guard case .request(let shown) = try await authenticator.received(apple) else {
            Issue.record("the message names a request")
            return
        }
        #expect(shown.id == SignInRequest.ID("r1"))
        let android = PushPayload(["type": "auth_otp", "authId": "r1", "message": "words"])
        fixture.looks(fixture.lookText(kind: "otp"))
        guard case .request(let passcode) = try await authenticator.received(android) else {
            Issue.record("the message names a request")
            return
        }
        #expect(passcode.pin == "12345")
        let environment = CustomerSiteID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d")
        let scan = PushPayload(["envId": environment.rawValue], category: "auth_qr")
        #expect(try await authenticator.received(scan) == .openScanner(environment))
        fixture.transport.reply(at: "/approver/look", with: .error(.invalidGrant))
        #expect(try await authenticator.received(apple) == .nothing)
    }

    @Test func `begins with a plain message, too, which names no request`() async throws {
        fixture.transport.reply(at: "/authenticator/inbox", with: fixture.listed([fixture.entry()]), fixture.listed([]))
        fixture.looks(fixture.lookText())
        let plain = PushPayload([:])
        guard case .request = try await fixture.authenticator.received(plain) else {
            Issue.record("a request waits")
            return
        }
        #expect(try await fixture.authenticator.received(plain) == .nothing)
    }
}
