import Countersign
import CountersignWire
import Foundation
import Testing

@testable import CountersignApprover
@testable import CountersignCommand

@Suite("A request that a terminal prints")
struct PrintedRequestTests {
    private func request(
        _ channel: InboxLook.Channel,
        scope: Scope = Scope([.openid]),
        actingFor service: GuestService? = nil,
        _ edit: (inout ApprovalConditions) -> Void
    ) -> WaitingRequest {
        var details = InboxLook(kind: .instant, channel: channel, deviceName: nil)
        details.software = "Firefox, Linux"
        details.address = "192.0.2.7"
        var conditions = ApprovalConditions()
        edit(&conditions)
        details.approval = conditions
        var look = ApproverLook(
            exchange: SignInRequest.ID("r1"), nonce: DecisionNonce(revealing: "nonce"),
            client: .verified(ClientID("tv")), clientName: .verified("The TV"), scope: scope, asked: 1_800_000_000,
            expires: 1_800_000_300, serverTime: 1_800_000_000, accountName: "Anna", details: details)
        look.service = service.map { LookService($0) }
        return WaitingRequest(
            look, verifying: false, at: ApproverAccount.ID("anna"), AnswerDigest(of: Array("look".utf8)))
    }

    private func json(_ request: WaitingRequest, choosing session: SessionTerm? = nil) throws -> String {
        try printed(request, choosing: session).members.json()
    }

    private func printed(_ request: WaitingRequest, choosing session: SessionTerm?) throws -> PrintedRequest {
        PrintedRequest(request, at: try Issuer("https://id.example.com"), choosing: session)
    }

    private static let screen = SessionTerm.allCases
    private static let plain = SessionTerm.allCases.filter { $0 != .remembered }

    @Test func `of a browser shows its software, from where, for what and for how long`() throws {
        let request = request(.browserSession, scope: .none) { $0.sessionTerms = Self.plain }
        let lines = try printed(request, choosing: nil).lines
        #expect(lines.first == "A browser (‘Firefox, Linux’) at the sign-in page wants to be signed in as Anna.")
        for line in [
            "  with:   Firefox, Linux (as it calls itself)", "  from:   192.0.2.7",
            "  for:    using this server as you: your account, approvals, and sign-ins to apps",
            "  stay:   You are signed out after an hour. (--session: own, 15m, 1h, 8h)",
            "  asked:  2027-01-15T08:00:00Z", "  until:  2027-01-15T08:05:00Z",
        ] {
            #expect(lines.contains(line), "\(lines)")
        }
        #expect(
            try printed(request, choosing: .own).lines.contains(
                "  stay:   You stay signed in until you sign out. (--session: own, 15m, 1h, 8h)"))
        let text = try json(request)
        for member in [#""kind":"browser""#, #""software":"Firefox, Linux""#, #""session":"1h""#] {
            #expect(text.contains(member), "\(text)")
        }
    }

    @Test func `of a browser for a new password says so, and offers no time`() throws {
        let request = request(.passwordReset, scope: .none) { _ in }
        let lines = try printed(request, choosing: nil).lines
        #expect(lines.first == "A browser (‘Firefox, Linux’) wants to set a new password for Anna.")
        #expect(lines.contains("  for:    a new password; your browsers are then signed out"), "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("  stay:") })
        #expect(try json(request).contains(#""kind":"password_reset""#))
    }

    @Test func `without an ID token says that nobody is remembered`() throws {
        let request = request(.deviceCode, scope: Scope([ScopeWord("play")])) { $0.sessionTerms = Self.plain }
        let stay = try #require(
            try printed(request, choosing: .remembered).lines.first { $0.hasPrefix("  stay:   ") })
        #expect(stay.hasPrefix("  stay:   You are not remembered there: the app does not ask who you are."))
        #expect(stay.hasSuffix(" (--session: own, 15m, 1h, 8h)"))
        #expect(try json(request, choosing: .remembered).contains(#""session":"own""#))
    }

    @Test func `of a screen that remembers its person says so, whatever they choose`() throws {
        let request = request(.deviceCode) { conditions in
            conditions.sessionTerms = Self.screen
            conditions.isRemembered = true
        }
        let lines = try printed(request, choosing: .quarterHour).lines
        #expect(lines.contains { $0.contains("after 15 minutes. The screen still remembers you") }, "\(lines)")
        #expect(try json(request).contains(#""remembered":true"#))
    }

    @Test func `of a service says what it acts for, and until when`() throws {
        let end = Date(timeIntervalSince1970: 1_800_086_400)
        let request = request(.deviceCode, actingFor: GuestService(purpose: "backup on nas", ends: end)) { conditions in
            conditions.sessionTerms = Self.plain
        }
        let lines = try printed(request, choosing: nil).lines
        #expect(lines.first == "The TV wants to act for Anna until 2027-01-16T08:00:00Z: ‘backup on nas’.")
        #expect(lines.contains("  acts:   for backup on nas, until 2027-01-16T08:00:00Z (as it says)"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  stay:   It may act for you until 2027-01-16T08:00:00Z.") }, "\(lines)")
        let shorter = try printed(request, choosing: .hour).lines
        #expect(shorter.contains { $0.hasPrefix("  stay:   It may act for you for an hour.") }, "\(shorter)")
        #expect(try json(request).contains(#""acts_for":"backup on nas""#))
    }

    @Test(arguments: ApprovalObstacle.allCases)
    func `that cannot be approved here says what to do, and takes a no alone`(obstacle: ApprovalObstacle) throws {
        let request = request(.deviceCode) { conditions in
            conditions.sessionTerms = Self.screen
            conditions.obstacle = obstacle
        }
        let lines = try printed(request, choosing: .hour).lines
        #expect(lines.contains("  note:   \(obstacle.sentence) Here you can only deny."), "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("  stay:") })
        let page = "  next:   In a browser: https://id.example.com/activate"
        #expect(lines.contains { $0.hasPrefix(page) } == (obstacle != .nearby))
        let takesSignIn = [ApprovalObstacle.recent, .password, .secondFactor].contains(obstacle)
        #expect(lines.contains { $0.contains("countersign authenticator enroll") } == takesSignIn)
        let text = try json(request)
        #expect(text.contains(#""step":"deny_only""#) && text.contains(#""obstacle":"\#(obstacle.rawValue)""#))
        let form = AnswerForm(of: request)
        #expect(form == .denial && form.word == "denial" && form.prompt.hasPrefix("Deny?"))
    }
}

extension OutputMembers {
    fileprivate func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
