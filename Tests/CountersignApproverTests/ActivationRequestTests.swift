import Countersign
import CountersignApprover
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@Suite("Answers to the screen on the same device")
struct ActivationRequestTests {
    private static let redirectURI = "https://tv.example.com/signed-in"
    private static let link = String(repeating: "A", count: 43)
    private let fixture = ProviderFixture(knowsOwners: true)

    private static func page(to redirectURI: String = redirectURI) -> String {
        let form: Form = ["user_code": "BCDF-GHJK", "redirect_uri": redirectURI]
        return "https://id.example.com/activate?\(form.encoded)"
    }

    /// Lets the server show the request, and take its decision.
    private func play(
        _ fixture: ProviderFixture,
        redirectURI: String = Self.redirectURI,
        outcome: ApproverDecideResponse.Outcome = .approved,
        location: String? = nil
    ) {
        let provenance = redirectURI.hasPrefix("https") ? "verified" : "asserted"
        fixture.looked(
            #"""
            {"outcome":"decide","method":"activation","exchange":"exchange","nonce":"nonce","scope":"openid","asked":1800000000,"now":1800000000,"client_id":"tv","client_provenance":"\#(provenance)","client_name":"The TV","client_name_provenance":"\#(provenance)","redirect_uri":"\#(redirectURI)","permissions":[{"word":"openid","meaning":"Know that it is you"}],"device_name":"Big screen","account_name":"Anna","expires":1800000300}
            """#)
        let answer = outcome == .approved ? "link=\(Self.link)" : "error=access_denied"
        fixture.decided(
            outcome, at: location ?? "\(redirectURI)?\(answer)&state=s&iss=https%3A%2F%2Fid.example.com")
    }

    /// Answers, and throws the code alone of what that throws.
    private func trying() async throws {
        do throws(ApprovalError) {
            _ = try await fixture.answer(Self.page())
        } catch {
            throw error.code
        }
    }

    @Test func `show the request, sign the way back, and bring the link there`() async throws {
        play(fixture)
        #expect(try await fixture.answer(Self.page()) == .answered(.approved, isOpened: true))
        let shown = try #require(await fixture.person.shown.first)
        #expect(shown.client == .verified(ClientID("tv")) && shown.deviceName == .asserted("Big screen"))
        #expect(shown.sentence == "The TV (‘Big screen’) wants to be signed in as Anna.")
        #expect(shown.step == .decide && !shown.canBeReported)
        guard case .app(let facts) = shown.kind else {
            Issue.record("a request of another app")
            return
        }
        #expect(facts.destination == .verified(.domain("tv.example.com")) && !facts.isAllowedBefore)
        #expect(facts.permissions.value.map(\.meaning) == ["Know that it is you"])
        let back = "\(Self.redirectURI)?link=\(Self.link)&state=s&iss=https%3A%2F%2Fid.example.com"
        #expect(fixture.opener.openedInOwner == [back] && fixture.opener.opened.isEmpty)

        let looked = try #require(fixture.transport.sent(to: "/approver/look").first)
        #expect(looked.request.headerFields[.authorization] == "Bearer token")
        #expect(looked.form["method"] == "activation" && looked.form["user_code"] == "BCDF-GHJK")
        #expect(looked.form["redirect_uri"] == Self.redirectURI)
        let sent = try #require(fixture.transport.sent(to: "/approver/decide").first)
        let claims = try ApproverDecideRequest(form: sent.form).decision.claims(signedBy: fixture.key.publicKey)
        #expect(claims.answer == .approve && claims.audience == "https://id.example.com")
        let finding = ActivationFinding(returningTo: try RedirectURI(Self.redirectURI))
        #expect(claims.finding == .activation(finding))
    }

    @Test(arguments: [
        (ApproverDecideResponse.Outcome.denied, AuthorizationOutcome.denied), (.refused, .refused),
    ])
    func `bring back a refusal, whoever refuses`(
        said: ApproverDecideResponse.Outcome,
        outcome: AuthorizationOutcome
    ) async throws {
        play(fixture, outcome: said)
        if said == .denied { await fixture.person.willSay(.deny) }
        #expect(try await fixture.answer(Self.page()) == .answered(outcome, isOpened: true))
        #expect(fixture.opener.openedInOwner.first?.contains("error=access_denied&state=s") == true)
    }

    @Test(arguments: ["com.example.tv:/signed-in", "http://127.0.0.1:49152/callback"])
    func `call a screen not verified whose way back any app may have`(redirectURI: String) async throws {
        play(fixture, redirectURI: redirectURI)
        #expect(try await fixture.answer(Self.page(to: redirectURI)) == .answered(.approved, isOpened: true))
        #expect(await fixture.person.shown.first?.client.provenance == .asserted)
        #expect(fixture.opener.opened.count == 1 && fixture.opener.openedInOwner.isEmpty)
    }

    @Test func `are refused to an app that does not own the way back`() async throws {
        play(fixture)
        #expect(try await fixture.answer(Self.page(), openedBy: .another) == .refused(.notTheOwner))
        #expect(fixture.opener.everything.isEmpty && fixture.transport.sent(to: "/approver/decide").isEmpty)
    }

    @Test(arguments: [
        "https://evil.test/?error=access_denied", "https://tv.example.com/signed-in?code=C",
        "https://tv.example.com/signed-in", "https://tv.example.com/signed-in?link=short", "javascript:alert(1)",
    ])
    func `are not opened elsewhere, whatever the server says`(location: String) async throws {
        play(fixture, location: location)
        await #expect(throws: ApprovalError.Code.badAnswer) { try await trying() }
        #expect(fixture.opener.everything.isEmpty)
    }

    @Test func `are not given when the server speaks of another way back`() async throws {
        play(fixture, redirectURI: "https://tv.example.com/other")
        await #expect(throws: ApprovalError.Code.badAnswer) { try await trying() }
        #expect(await fixture.person.shown.isEmpty)
    }

    // MARK: The browser

    @Test func `are left to the browser where the server, the person or the system wants it`() async throws {
        fixture.looked(#"{"outcome":"browser"}"#)
        #expect(try await fixture.answer(Self.page()) == .openBrowser(Self.page()))
        play(fixture)
        await fixture.person.willSay(.goOnInBrowser)
        #expect(try await fixture.answer(Self.page()) == .openBrowser(Self.page()))
        let desktop = ProviderFixture()
        play(desktop)
        #expect(try await desktop.answer(Self.page()) == .openBrowser(Self.page()))
        // A scheme that any page could name.
        play(fixture, redirectURI: "tv:/signed-in")
        let page = Self.page(to: "tv:/signed-in")
        #expect(try await fixture.answer(page) == .openBrowser(page))
        let signedOut = ProviderFixture(isSignedIn: false)
        #expect(try await signedOut.answer(Self.page()) == .openBrowser(Self.page()))
        #expect(fixture.opener.everything.isEmpty && desktop.opener.everything.isEmpty)
    }

    @Test(arguments: [
        "", "?user_code=BCDF-GHJK", "?user_code=BCDF-GHJK&s=mark", "?user_code=A&redirect_uri=javascript:alert(1)",
        "?not_mine=1",
    ])
    func `are left to the page that a screen elsewhere shows, or that no app can take`(query: String) async throws {
        let page = "https://id.example.com/activate\(query)"
        #expect(try await fixture.answer(page) == .openBrowser(page))
        #expect(fixture.transport.sent().isEmpty)
    }

    @Test func `are refused at the page of another server, and at a scheme that no browser opens`() async throws {
        let query = Self.page().drop { $0 != "?" }
        #expect(try await fixture.answer("https://other.example/activate\(query)") == .refused(.otherAddress))
        #expect(
            try await fixture.answer("com.example.provider.authorize:/authorize\(query)") == .refused(.unreadable))
        #expect(fixture.transport.sent().isEmpty)
    }

    @Test func `go on in the browser when the approval does not meet a demand any more`() async throws {
        play(fixture)
        let refusal = ApproverErrorResponse(OAuthError(.accessDenied, because: ""), obstacle: .recent)
        fixture.transport.reply(at: "/approver/decide", with: .json(refusal, status: .forbidden))
        #expect(try await fixture.answer(Self.page()) == .openBrowser(Self.page()))
        #expect(fixture.opener.everything.isEmpty)
    }

    @Test func `end where the person answered elsewhere`() async throws {
        play(fixture)
        fixture.transport.reply(at: "/approver/decide", with: .error(.invalidGrant))
        await #expect(throws: ApprovalError.Code.nothingToDecide) { try await trying() }
        #expect(fixture.opener.everything.isEmpty)
    }
}
