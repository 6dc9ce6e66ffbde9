import Countersign
import CountersignApprover
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@Suite("Answers to the authorization requests of other apps")
struct AuthorizationRequestTests {
    private let fixture = ProviderFixture()

    @Test func `show what the server knows, sign exactly that, and open what the server answers`() async throws {
        let result = try await fixture.answer()
        #expect(result == .answered(.approved, isOpened: true))
        let shown = try #require(await fixture.person.shown.first)
        #expect(shown.client == .asserted(ClientID("recipes")) && shown.clientName == .asserted("Recipes"))
        guard case .app(let facts) = shown.kind else {
            Issue.record("a request of another app")
            return
        }
        #expect(facts.caller == .observed(.unknown) && shown.accountName == "Anna")
        #expect(facts.destination == .verified(.scheme("com.example.recipes")))
        #expect(shown.sentence == "Recipes (not verified) wants to be signed in as Anna.")
        #expect(facts.permissions.value.map(\.meaning) == ["Know that it is you"])
        #expect(fixture.opener.opened == ["com.example.recipes:/done?code=C&state=s"])
        #expect(fixture.opener.openedInOwner.isEmpty)

        let looked = try #require(fixture.transport.sent(to: "/approver/look").first)
        #expect(looked.request.headerFields[.authorization] == "Bearer token")
        #expect(looked.form["authorization"] == ProviderFixture.parameters)
        let sent = try #require(fixture.transport.sent(to: "/approver/decide").first)
        #expect(sent.form["authorization"] == ProviderFixture.parameters)
        let claims = try ApproverDecideRequest(form: sent.form).decision.claims(signedBy: fixture.key.publicKey)
        #expect(claims.answer == .remember && claims.exchange == SignInRequest.ID("exchange"))
        #expect(claims.audience == "https://id.example.com" && claims.nonce == DecisionNonce(revealing: "nonce"))
        guard case .authorization(let finding) = claims.finding else {
            Issue.record("a decision about an authorization request")
            return
        }
        #expect(finding.client == ClientID("recipes") && finding.redirectURI == "com.example.recipes:/done")
        #expect(finding.scope == Scope([.openid]) && finding.challenge == ProviderFixture.challenge)
        #expect(finding.parameters == AnswerDigest(of: Array(ProviderFixture.parameters.utf8)))
        // The bytes as they came, which are not those that this side would have written.
        #expect(claims.shown == AnswerDigest(of: Array(fixture.lookText().utf8)))
        #expect(claims.issued == Int(fixture.clock.date.timeIntervalSince1970))
    }

    @Test(arguments: [
        (RequestAnswer.approve(), DecisionClaims.Answer.approve),
        (.approve(remembers: true), .remember), (.deny, .deny),
    ])
    func `say what the person said`(
        answer: RequestAnswer,
        claim: DecisionClaims.Answer
    ) async throws {
        await fixture.person.willSay(answer)
        fixture.decided(answer == .deny ? .denied : .approved)
        #expect(try await fixture.answer() == .answered(answer == .deny ? .denied : .approved, isOpened: true))
        let sent = try #require(fixture.transport.sent(to: "/approver/decide").first)
        let claims = try ApproverDecideRequest(form: sent.form).decision.claims(signedBy: fixture.key.publicKey)
        #expect(claims.answer == claim)
    }

    // MARK: To whom

    @Test func `at an https address are opened by the owner of its domain alone`() async throws {
        let fixture = ProviderFixture(redirectURI: "https://recipes.example.com/done", knowsOwners: true)
        #expect(try await fixture.answer() == .answered(.approved, isOpened: true))
        #expect(fixture.opener.openedInOwner == ["https://recipes.example.com/done?code=C&state=s"])
        #expect(fixture.opener.opened.isEmpty)
        let shown = try #require(await fixture.person.shown.first)
        #expect(shown.isVerified && shown.app?.destination == .verified(.domain("recipes.example.com")))
    }

    @Test func `at an https address go by the browser where the system knows no owners`() async throws {
        let fixture = ProviderFixture(redirectURI: "https://recipes.example.com/done", knowsOwners: false)
        #expect(try await fixture.answer() == .openBrowser(fixture.page))
        #expect(fixture.opener.everything.isEmpty)
        #expect(await fixture.person.shown.isEmpty)
        #expect(fixture.transport.sent(to: "/approver/decide").isEmpty)
    }

    @Test func `are not asked for again where the person allowed it before and nobody else gets them`() async throws {
        let fixture = ProviderFixture(redirectURI: "https://recipes.example.com/done", knowsOwners: true)
        fixture.looked(fixture.lookText(allowed: true, mustAsk: false))
        #expect(try await fixture.answer() == .answered(.approved, isOpened: true))
        #expect(await fixture.person.shown.isEmpty)
        let sent = try #require(fixture.transport.sent(to: "/approver/decide").first)
        let claims = try ApproverDecideRequest(form: sent.form).decision.claims(signedBy: fixture.key.publicKey)
        #expect(claims.answer == .unasked)
    }

    @Test(arguments: [(true, true), (false, false)])
    func `are asked for wherever the server wants it, and always where any app may get them`(
        isClaimed: Bool,
        mustAsk: Bool
    ) async throws {
        let redirectURI = isClaimed ? "https://recipes.example.com/done" : "com.example.recipes:/done"
        let fixture = ProviderFixture(redirectURI: redirectURI, knowsOwners: true)
        // The server calls the client verified, because it has a secret; who asks is not known all the same.
        fixture.looked(fixture.lookText(allowed: true, mustAsk: mustAsk, provenance: "verified"))
        _ = try await fixture.answer()
        let shown = try #require(await fixture.person.shown.first)
        #expect(shown.app?.isAllowedBefore == true && shown.isVerified == isClaimed)
    }

    @Test(arguments: ["com.example.recipes:/done", "https://recipes.example.com/done", "http://127.0.0.1:9/done"])
    func `are refused to an app that does not own the redirect URI`(redirectURI: String) async throws {
        let fixture = ProviderFixture(redirectURI: redirectURI, knowsOwners: true)
        #expect(try await fixture.answer(openedBy: .another) == .refused(.notTheOwner))
        // Not even an error is brought to it.
        fixture.looked(fixture.errorText)
        #expect(try await fixture.answer(openedBy: .another) == .refused(.notTheOwner))
        #expect(fixture.opener.everything.isEmpty)
        #expect(await fixture.person.shown.isEmpty)
        #expect(fixture.transport.sent(to: "/approver/decide").isEmpty)
        fixture.looked(fixture.lookText())
        #expect(try await fixture.answer(openedBy: .owner) == .answered(.approved, isOpened: true))
        #expect(await fixture.person.shown.first?.app?.caller == .observed(.owner))
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "intent://x#Intent;end",
        "http://evil.test/done",
        "https:", "https://", "", "x",
    ])
    func `go to no address that is none of an app`(redirectURI: String) async throws {
        let fixture = ProviderFixture(redirectURI: redirectURI, knowsOwners: true, inAddress: false)
        #expect(try await fixture.answer() == .refused(.unanswerable))
        #expect(fixture.opener.everything.isEmpty)
    }

    @Test(arguments: [
        "https://evil.test/?code=C", "com.example.recipes:/done2?code=C", "com.example.recipes:/done", "",
        "com.example.recipes:/done?state=s", "com.example.recipes:/done?code=C#https://evil.test",
        "com.example.recipes:/done?code=C\nx", "com.example.recipes:/done?code=C&code=D", "javascript:alert(1)",
    ])
    func `are not opened elsewhere, whatever the server says`(location: String) async throws {
        fixture.decided(.approved, at: location)
        await #expect(throws: ApprovalError.Code.badAnswer) { try await fixture.trying() }
        #expect(fixture.opener.everything.isEmpty)
    }

    // MARK: Without a decision

    @Test func `bring an error to the app that asked, and ask nobody`() async throws {
        fixture.looked(fixture.errorText)
        #expect(try await fixture.answer() == .answered(.refused, isOpened: true))
        #expect(fixture.opener.opened == ["com.example.recipes:/done?error=invalid_scope&state=s"])
        #expect(await fixture.person.shown.isEmpty)
    }

    @Test func `are left to the browser where the server or the person wants it`() async throws {
        fixture.looked(#"{"outcome":"browser"}"#)
        #expect(try await fixture.answer() == .openBrowser(fixture.page))
        fixture.looked(fixture.lookText())
        await fixture.person.willSay(.goOnInBrowser)
        #expect(try await fixture.answer() == .openBrowser(fixture.page))
        #expect(fixture.opener.everything.isEmpty)
        #expect(fixture.transport.sent(to: "/approver/decide").isEmpty)
    }

    @Test func `are left to the browser where the app is not signed in, or its server offers no such thing`()
        async throws
    {
        let signedOut = ProviderFixture(isSignedIn: false)
        #expect(try await signedOut.answer() == .openBrowser(fixture.page))
        var metadata = fixture.metadata
        metadata.approverEndpoint = nil
        fixture.transport.reply(at: ProviderFixture.metadataPath, with: .json(metadata))
        #expect(try await fixture.answer() == .openBrowser(fixture.page))
    }

    @Test func `are refused where the server cannot answer`() async throws {
        fixture.looked(#"{"outcome":"unanswerable"}"#)
        #expect(try await fixture.answer() == .refused(.unanswerable))
        #expect(fixture.opener.everything.isEmpty)
    }

    @Test func `take a request by its name, and either entrance`() async throws {
        let fixture = ProviderFixture(inAddress: false)
        for address in [
            "https://ID.example.com/authorize?client_id=recipes&request_uri=urn:x",
            "COM.example.provider.authorize:/authorize?client_id=recipes&request_uri=urn:x#there",
        ] {
            #expect(try await fixture.answer(address) == .answered(.approved, isOpened: true))
        }
    }

    @Test(arguments: [
        "", "x", "com.example.provider.authorize:/authorize", "com.example.provider.authorize:/authorize?a=b",
        "https://id.example.com/authorize?client_id=é",
        "https://id.example.com/authorize?client_id=a b", "https://id.example.com/authorize?client_id=\u{0}",
        "https://id.example.com/authorize?client_id=" + String(repeating: "a", count: 20_000), "?client_id=a",
        ":?client_id=a", "\u{202E}https://id.example.com/authorize?client_id=a",
    ])
    func `are given to nothing that is no request`(address: String) async throws {
        #expect(try await fixture.answer(address) == .refused(.unreadable))
        #expect(fixture.transport.sent().isEmpty)
    }

    @Test(arguments: [
        "https://id.example.com/authorize", "https://id.example.com/authorize?",
        "https://id.example.com/authorize?a=b", "https://id.example.com/authorize?client_id=",
        "https://id.example.com/authorize?client_id=a&client_id=b", "https://id.example.com/authorize?client_id=%ZZ",
    ])
    func `are left to the page of the server where it alone says what is wrong`(address: String) async throws {
        #expect(try await fixture.answer(address) == .openBrowser(address))
        #expect(fixture.transport.sent().isEmpty && fixture.opener.everything.isEmpty)
    }

    @Test(arguments: [
        "https://id.example.com.evil.test/authorize", "https://id.example.com/authorize/",
        "https://id.example.com/Authorize",
        "http://id.example.com/authorize", "https://id.example.com:444/authorize", "https://a@id.example.com/authorize",
        "com.example.provider.authorize://authorize", "com.example.other:/authorize", "https://id.example.com",
    ])
    func `are given at no other address`(address: String) async throws {
        #expect(try await fixture.answer("\(address)?\(ProviderFixture.parameters)") == .refused(.otherAddress))
        #expect(fixture.transport.sent().isEmpty)
    }

    @Test(arguments: [
        #""client_id":"other""#, #""redirect_uri":"com.example.recipes:/other""#,
        #""code_challenge":"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk""#,
    ])
    func `are not given when the server speaks of another request`(member: String) async throws {
        let name = try #require(member.split(separator: ":").first)
        let text = fixture.lookText().split(separator: ",").map { $0.contains(name) ? Substring(member) : $0 }
        fixture.looked(text.joined(separator: ","))
        await #expect(throws: ApprovalError.Code.badAnswer) { try await fixture.trying() }
        #expect(await fixture.person.shown.isEmpty && fixture.opener.everything.isEmpty)
    }

    @Test(arguments: [
        (ScriptedTransport.Reply.error(.invalidGrant), ApprovalError.Code.nothingToDecide),
        (.error(.accessDenied), .refused), (.error(.invalidRequest), .refused), (.status(.unauthorized), .signedOut),
        (.status(.forbidden), .notPermitted), (.status(.tooManyRequests), .busy),
        (.status(.serviceUnavailable), .unreachable), (.text("{}", type: "application/json", status: .ok), .badAnswer),
        (.failure(TransportError(.notReached, because: "")), .unreachable),
        (.failure(TransportError(.interrupted, because: "")), .outcomeUnknown),
    ])
    func `say why not, and open nothing`(reply: ScriptedTransport.Reply, code: ApprovalError.Code) async throws {
        fixture.transport.reply(at: "/approver/decide", with: reply)
        await #expect(throws: code) { try await fixture.trying() }
        #expect(fixture.opener.everything.isEmpty)
    }

    @Test func `go on in the browser beyond the limit of looks`() async throws {
        fixture.transport.reply(at: "/approver/look", with: .status(.tooManyRequests))
        #expect(try await fixture.answer() == .openBrowser(fixture.page))
        #expect(fixture.opener.everything.isEmpty)
    }

    @Test func `look again when the server is not reached`() async throws {
        // The person allowed it before, so that nothing waits but the look.
        let fixture = ProviderFixture(
            redirectURI: "https://recipes.example.com/done", knowsOwners: true, time: { $0.skipping })
        let lost = ScriptedTransport.Reply.failure(TransportError(.notReached, because: "a lost packet"))
        let answer = ScriptedTransport.Reply.text(
            fixture.lookText(allowed: true, mustAsk: false), type: "application/json")
        fixture.transport.reply(at: "/approver/look", with: lost, .status(.serviceUnavailable), answer)
        #expect(try await fixture.answer() == .answered(.approved, isOpened: true))
        #expect(fixture.transport.sent(to: "/approver/look").count == 3)
        #expect(fixture.transport.sent(to: "/approver/decide").count == 1)
    }

    @Test func `say that the other app could not be opened`() async throws {
        let fixture = ProviderFixture(opens: false)
        #expect(try await fixture.answer() == .answered(.approved, isOpened: false))
    }
}

extension WaitingRequest {
    /// The facts of the request of another app.
    fileprivate var app: AppFacts? {
        if case .app(let facts) = kind { facts } else { nil }
    }

    fileprivate var isVerified: Bool { client.provenance == .verified }
}
