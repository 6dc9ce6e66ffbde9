import Countersign
import Foundation
import Testing

/// The examples in the documentation of `Countersign`, word for word: `Scripts/check-examples.py` compares them.
@Suite("The core's examples")
struct CoreExamples {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let mint = CodeMint(drawingFrom: .system)

    @Test func `mint codes`() {
        let mint = CodeMint(drawingFrom: .system)
        let shown = mint.userCode()  // WDJB-MJHT
        let kept: DeviceCode = mint.secret()  // 43 characters of base64url
        let request: SignInRequest.ID = mint.identifier()

        #expect(shown.characters.count == UserCode.length)
        #expect(kept.revealed.count == 43)
        #expect(request.rawValue.count == 22)
    }

    @Test func `read a typed code`() {
        let code = UserCode(parsing: " wdjb mjht ")
        let shown = code?.description  // "WDJB-MJHT"
        let stored = code?.characters  // "WDJBMJHT"

        #expect(shown == "WDJB-MJHT")
        #expect(stored == "WDJBMJHT")
    }

    @Test func `read the typed code of a person`() {
        let code = PersonCode(parsing: " 1234 5678 ")
        let shown = code?.grouped  // "1234 5678"

        #expect(shown == "1234 5678")
    }

    @Test func `write and read a scope`() {
        let scope = Scope([.openid, .profile])
        let sent = scope.description  // "openid profile"
        let read = Scope(parsing: "openid openid email")  // two words

        #expect(sent == "openid profile")
        #expect(read?.words.count == 2)
    }

    @Test func `ask policy`() {
        let evidence = Evidence([.accountPassword(at: now), .codeTyped])
        let scope = Scope([.openid])
        #expect(throws: Never.self) {
            let policy = Policy(minimumEvidence: [ScopeWord("door"): ScopeDemands([.nearby])])
            try policy.authorize(.decision, client: .active, subject: .active, evidence: evidence, scope: scope)
        }
    }

    @Test func `keep where a fact comes from`() {
        let name = Fact.asserted("Living room TV")

        #expect(name.provenance == .asserted)
    }

    @Test func `move a request from its beginning to tokens`() throws {
        let now = now
        let request = SignInRequest(
            id: mint.identifier(),
            client: .asserted(ClientID("tv")),
            scope: .verified(Scope([.openid])),
            deviceName: .asserted("Living room TV"),
            asked: .observed(now),
            deadline: now + 600
        )
        let approver = ApproverIdentity(subject: Subject("anna"), id: ApproverID("browser"))
        let evidence = Evidence([.accountPassword(at: now), .codeTyped])
        let grant = Grant(
            id: mint.identifier(),
            subject: approver.subject,
            client: request.client.value,
            scope: request.scope.value,
            evidence: evidence,
            approved: now
        )
        var issued: [Grant] = []
        func issueTokens(for grant: Grant) { issued.append(grant) }

        var exchange = SignInExchange(request: request)
        try exchange.take(by: approver, proving: evidence, at: now)
        try exchange.record(.approve(grant), by: approver, at: now)
        switch exchange.redeem(at: now) {
        case .granted(let grant): issueTokens(for: grant)
        case .wait, .denied, .expired, .alreadySpent, .otherLink: break
        }

        #expect(issued == [grant])
    }
}
