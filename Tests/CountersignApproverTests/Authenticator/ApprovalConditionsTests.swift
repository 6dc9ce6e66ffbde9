import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignApprover

/// The conditions that the server names for an approval, as an app shows them.
@Suite("The conditions for an approval on a device")
struct ApprovalConditionsTests {
    private let fixture = AuthenticatorFixture()

    private func shown(
        _ approval: String, channel: String = "device_code", digits: Int? = nil, scope: String = "openid"
    ) async throws -> WaitingRequest {
        try await fixture.shown(
            fixture.lookText(channel: channel, digits: digits, approval: approval, scope: scope))
    }

    // MARK: Obstacles

    @Test(arguments: ApprovalObstacle.allCases)
    func `leave the denial alone where the device does not meet them, and say what to do`(
        obstacle: ApprovalObstacle
    ) async throws {
        let request = try await shown(#"{"obstacle":"\#(obstacle.rawValue)"}"#, digits: 2)
        #expect(request.step == .denyOnly(obstacle) && request.isDenyOnly)
        #expect(obstacle.sentence.contains("o approve, ") && obstacle.sentence.hasSuffix("."))
        #expect(request.sentence == "\(request.question) \(obstacle.sentence) Here you can only deny.")
        let notification = RequestNotification(of: request)
        #expect(!notification.offersApproval && notification.body.contains(obstacle.sentence))
        #expect(notification.buttons(among: [.approve(), .deny()]) == [.deny()])

        let approver = fixture.approver
        let refused = await code { () async throws(ApprovalError) in
            try await approver.answer(.approve(number: "42"), to: request)
        }
        #expect(refused == .policyRefused)
        #expect(try fixture.decisions.isEmpty)
        fixture.decided(.deny)
        try await approver.answer(.deny, to: request)
        #expect(try fixture.decisions.map(\.answer) == [.deny])
    }

    @Test func `have another obstacle where the server names one that is not known`() async throws {
        #expect(try await shown(#"{"obstacle":"retina"}"#).step == .denyOnly(.other))
    }

    @Test(arguments: ["{}", #"{"obstacle":7}"#, "7"])
    func `are none where the server names none, or none that can be read`(approval: String) async throws {
        let request = try await shown(approval)
        #expect(request.step == .decide && request.sessionTerms.isEmpty && !request.isRemembered)
    }

    /// A key that asks for the person’s finger, or does not.
    private struct Keys: ApproverKeyStore {
        struct Signer: ApproverSigner {
            let key: ApproverPrivateKey
            let verifiesUser: Bool
            var publicKey: ApproverKey { key.publicKey }
            func signature(over bytes: [UInt8]) throws -> [UInt8] { try key.signature(over: bytes) }
        }
        let signer: Signer?
        struct Locked: Error {}
        func signer(for account: ApproverAccount.ID) throws -> any ApproverSigner {
            guard let signer else { throw Locked() }
            return signer
        }
    }

    @Test(arguments: [true, false, nil])
    func `are met by a device that verifies its person, where the server says so`(verifies: Bool?) async throws {
        let keys = Keys(signer: verifies.map { Keys.Signer(key: fixture.key, verifiesUser: $0) })
        let approver = Approver(
            for: ApproverAccount(id: ApproverAccount.ID("anna"), issuer: try Issuer("https://id.example.com")) {
                AccessToken(revealing: "token")
            },
            keepingKeysIn: keys,
            in: ApproverContext(over: fixture.transport, clock: fixture.clock.skipping, random: .system))
        fixture.looks(
            fixture.lookText(
                channel: "backchannel", digits: 2, approval: #"{"obstacle":"user_verified","uv_suffices":true}"#))
        let request = try await approver.request(SignInRequest.ID("r1"))
        #expect(request.step == (verifies == true ? .matchNumber : .denyOnly(.userVerified)))
    }

    // MARK: Times

    private static let screen = #""session_terms":["remember","own","15m","1h","8h","forever"]"#
    private static let plain = #""session_terms":["own","15m","1h","8h"]"#

    @Test func `offer the times that are known`() async throws {
        #expect(try await shown("{\(Self.screen)}").sessionTerms == SessionTerm.allCases)
        #expect(try await shown("{\(Self.plain)}").sessionTerms == SessionTerm.allCases.filter { $0 != .remembered })
    }

    @Test(arguments: [
        (SessionTerm?.none, SessionTerm.own, "You stay signed in until you sign out."),
        (SessionTerm.remembered, .remembered, "You stay signed in, and the screen remembers you."),
        (.quarterHour, .quarterHour, "You are signed out after 15 minutes."),
        (.workday, .workday, "You are signed out after 8 hours."),
    ])
    func `say how long a screen stays signed in`(
        chosen: SessionTerm?, term: SessionTerm, sentence: String
    ) async throws {
        let request = try await shown("{\(Self.screen)}")
        #expect(request.sessionTerm(choosing: chosen) == term)
        #expect(request.sessionSentence(choosing: chosen) == sentence)
    }

    @Test func `say that a sign-in ends with that of the device, where this one ends by itself`() async throws {
        let request = try await shown(#"{"session_terms":["own","15m"],"session_limit":1800003600}"#)
        #expect(request.sessionLimit == Date(timeIntervalSince1970: 1_800_003_600))
        #expect(request.sessionTerms == [.own, .quarterHour])
        #expect(
            request.sessionSentence(choosing: nil)
                == "You stay signed in until 2027-01-15T09:00:00Z, when the sign-in of this device ends.")
        let browser = try await shown(
            #"{"session_terms":["own","15m"],"session_limit":1800003600}"#, channel: "browser_session", scope: "")
        #expect(browser.sessionTerm(choosing: nil) == .own)
    }

    @Test func `say that nobody is remembered where the app does not ask who they are`() async throws {
        let request = try await shown("{\(Self.plain)}", scope: "play")
        #expect(request.sessionTerm(choosing: .remembered) == .own)
        #expect(
            request.sessionSentence(choosing: .remembered)
                == "You are not remembered there: the app does not ask who you are. "
                + "You stay signed in until you sign out.")
    }

    @Test(arguments: [SessionTerm?.none, .quarterHour, .own])
    func `say that a remembered screen still remembers, whatever else is chosen`(chosen: SessionTerm?) async throws {
        let request = try await shown("{\(Self.screen),\"remembered\":true}")
        #expect(request.isRemembered)
        let sentence = try #require(request.sessionSentence(choosing: chosen))
        #expect(sentence.hasSuffix("The screen still remembers you: that ends on the page of your account."))
        #expect(request.sessionSentence(choosing: .remembered)?.contains("still") == false)
    }

    @Test func `say of a request without a choice that a time does not count`() async throws {
        let request = try await shown("{}", channel: "backchannel")
        #expect(request.sessionTerm(choosing: .hour) == nil && request.sessionSentence(choosing: nil) == nil)
        #expect(
            request.sessionSentence(choosing: .hour) == "It offers no choice of a time: yours does not count.")
    }

    // MARK: Browsers

    @Test func `are those of a browser at the sign-in page, which is named with its software`() async throws {
        let request = try await shown("{\(Self.plain)}", channel: "browser_session", scope: "")
        #expect(request.kind == .browser && request.software == .asserted("Firefox, Linux"))
        #expect(request.address == .observed("192.0.2.7"))
        #expect(
            request.sentence
                == "A browser (‘Firefox, Linux’) at the sign-in page wants to be signed in as Anna.")
        #expect(request.sessionSentence(choosing: nil) == "You are signed out after an hour.")
        #expect(
            request.sessionSentence(choosing: .remembered)
                == "A browser does not remember you. You are signed out after an hour.")
        let notification = RequestNotification(of: request)
        #expect(notification.title == "A browser (‘Firefox, Linux’): sign in as Anna?")
        #expect(notification.body.hasSuffix("You are signed out after an hour."))
        #expect(notification.offersApproval)
        #expect(
            ApproverEvent.cancelled(request).sentence?
                .hasPrefix("A browser (‘Firefox, Linux’): The browser stopped asking.") == true)
    }
}
