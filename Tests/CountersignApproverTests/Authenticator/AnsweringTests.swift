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
        to shown: WaitingRequest
    ) async -> ApprovalError.Code? {
        let approver = fixture.approver
        return await code { () async throws(ApprovalError) in try await approver.answer(answer, to: shown) }
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
        #expect(shown.accountName == "Anna" && shown.step == .decide && shown.askerName == "Bank")
        guard case .site(let site) = shown.kind else {
            Issue.record("a request of a site")
            return
        }
        #expect(shown.client == .verified(ClientID("bank")) && shown.clientName == .verified("The Bank"))
        #expect(site.name == "Bank" && shown.message == .asserted("Pay 10 euros"))
        #expect(shown.address == .asserted("192.0.2.7") && shown.placeName == "Breda, NL")
        #expect(shown.asked == .observed(fixture.clock.date) && shown.deadline == fixture.clock.date + 60)
        #expect(fixture.transport.sent(to: "/approver/look").map { $0.form["request"] } == ["r1"])
    }

    @Test(arguments: [
        (RequestAnswer.approve(), DecisionClaims.Answer.approve), (.deny, .deny),
        (.report(reason: "I am asleep"), .report), (.mute, .mute),
    ])
    func `is signed over the request, the nonce, what was shown and the time`(
        answer: RequestAnswer,
        claim: DecisionClaims.Answer
    ) async throws {
        let shown = try await fixture.shown()
        fixture.decided(claim)
        try await fixture.approver.answer(answer, to: shown)
        let claims = try #require(try fixture.decisions.first)
        #expect(claims.audience == "https://id.example.com" && claims.exchange == SignInRequest.ID("r1"))
        #expect(claims.nonce == DecisionNonce(revealing: "nonce") && claims.answer == claim)
        // The bytes as they came, which are not those that this side would have written.
        #expect(claims.shown == AnswerDigest(of: Array(fixture.lookText().utf8)))
        #expect(claims.issued == fixture.now)
        #expect(claims.finding == .inbox(InboxFinding(reason: claim == .report ? "I am asleep" : nil)))
    }

    @Test(arguments: [SessionTerm.remembered, .quarterHour, nil])
    func `says for how long an approval is, and nothing of it with a denial`(session: SessionTerm?) async throws {
        let shown = try await fixture.shown()
        fixture.decided(.approve)
        try await fixture.approver.answer(.approve(), to: shown, session: session)
        fixture.decided(.deny)
        try await fixture.approver.answer(.deny, to: shown, session: session)
        #expect(try fixture.decisions.map(\.session) == [session, nil])
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

    @Test func `that does not meet a demand any more says what to do, and decided nothing`() async throws {
        let shown = try await fixture.shown()
        let refusal = ApproverErrorResponse(OAuthError(.accessDenied, because: ""), obstacle: .recent)
        fixture.transport.reply(at: "/approver/decide", with: .json(refusal, status: .forbidden))
        let approver = fixture.approver
        do {
            try await approver.answer(.approve(), to: shown)
            Issue.record("It was approved.")
        } catch {
            #expect(error.code == .policyRefused && error.obstacle == .recent)
            #expect(error.sentence == "Nothing was decided. \(ApprovalObstacle.recent.sentence)")
        }
    }

    @Test func `that comes after another one says where that was given`() async throws {
        let shown = try await fixture.shown()
        let place = AnswerPlace(.browser, named: "Firefox, Linux", answered: fixture.clock.date)
        let refusal = ApproverErrorResponse(OAuthError(.invalidGrant, because: ""), answeredBy: place)
        fixture.transport.reply(at: "/approver/decide", with: .json(refusal, status: .badRequest))
        let approver = fixture.approver
        do {
            try await approver.answer(.deny, to: shown)
            Issue.record("It was answered twice.")
        } catch {
            #expect(error.code == .nothingToDecide && error.answered == place)
            #expect("\(error)".hasSuffix("answered in the browser Firefox, Linux"))
        }
    }

    @Test func `is for open requests to approve alone`() async throws {
        let passcode = try await fixture.shown(fixture.lookText(kind: "otp"))
        #expect(passcode.step == .typeThere("12345"))
        for answer in [RequestAnswer.approve(), .deny, .report(), .mute] {
            #expect(await answering(answer, to: passcode) == .notAnswerable)
        }
        let shown = try await fixture.shown()
        fixture.clock.advance(by: .seconds(60))
        for answer in [RequestAnswer.approve(), .deny, .report(), .mute] {
            #expect(await answering(answer, to: shown) == .expired)
        }
        #expect(fixture.transport.sent(to: "/approver/decide").isEmpty)
    }

    @Test func `is not given to a request that is over by the server's clock`() async throws {
        fixture.looks(fixture.lookText(lasting: 0))
        let approver = fixture.approver
        #expect(
            await code { () async throws(ApprovalError) in _ = try await approver.request(SignInRequest.ID("r1"))
            }
                == .expired)
        fixture.looks(fixture.lookText("r2"))
        #expect(
            await code { () async throws(ApprovalError) in _ = try await approver.request(SignInRequest.ID("r1"))
            }
                == .badAnswer)
    }

    @Test(arguments: [-10_800.0, 10_800])
    func `is dated by the server's clock, however wrong the phone's is`(skew: Double) async throws {
        let server = Int(fixture.clock.date.timeIntervalSince1970 + skew)
        let shown = try await fixture.shown(fixture.lookText(serverTime: server))
        fixture.decided(.approve)
        fixture.clock.advance(by: .seconds(7))
        try await fixture.approver.answer(.approve(), to: shown)
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
        try await fixture.approver.answer(.report(reason: String(repeating: "é", count: 150)), to: shown)
        let finding = try fixture.decisions.first?.finding
        #expect(finding == .inbox(InboxFinding(reason: String(repeating: "é", count: 100))))
    }

    // MARK: Push messages

    @Test func `begins with a push message that holds identifiers only`() async throws {
        fixture.looks(fixture.lookText())
        let approver = fixture.approver
        let apple = PushPayload(["authId": "r1", "envId": 5], category: "auth_instant")
        guard case .request(let shown) = try await approver.received(apple) else {
            Issue.record("the message names a request")
            return
        }
        #expect(shown.id == SignInRequest.ID("r1"))
        let android = PushPayload(["type": "auth_otp", "authId": "r1", "message": "words"])
        fixture.looks(fixture.lookText(kind: "otp"))
        guard case .request(let passcode) = try await approver.received(android) else {
            Issue.record("the message names a request")
            return
        }
        #expect(passcode.step == .typeThere("12345"))
        let environment = CustomerSiteID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d")
        let scan = PushPayload(["envId": environment.rawValue], category: "auth_qr")
        #expect(try await approver.received(scan) == .openScanner(environment))
        fixture.transport.reply(at: "/approver/look", with: .error(.invalidGrant))
        #expect(try await approver.received(apple) == .nothing)
    }

    @Test func `begins with a plain message, too, which names no request`() async throws {
        fixture.transport.reply(at: "/authenticator/inbox", with: fixture.listed([fixture.entry()]), fixture.listed([]))
        fixture.looks(fixture.lookText())
        let plain = PushPayload([:])
        guard case .request = try await fixture.approver.received(plain) else {
            Issue.record("a request waits")
            return
        }
        #expect(try await fixture.approver.received(plain) == .nothing)
    }
}
