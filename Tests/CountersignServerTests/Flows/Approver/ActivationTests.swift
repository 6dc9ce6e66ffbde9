import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The provider's own app on the screen's own device", .server)
struct ActivationTests {
    let server = TestServer.current

    @Test func `is shown the request, and brings back the link that alone redeems the approval`() async throws {
        let phone = try await server.providersApp()
        let screen = try await server.screenHere()
        #expect(try screen.page.isAt(server.issuer.appending("activate")))
        let shown = try await phone.shown(screen)
        #expect(shown.response.redirectURI == TestScreenHere.redirectURI && shown.response.deviceName == "Big screen")
        #expect(shown.response.accountName == TestPerson.anna.name)
        #expect(!shown.response.permissions.isEmpty || shown.response.scope.words.isEmpty)

        let said = try await phone.send(try phone.claims(on: shown)).confirmation
        let location = try #require(said.location)
        #expect(said.outcome == .approved && location.isAnswer(to: .activation, at: TestScreenHere.redirectURI))
        let back = try #require(location.back)
        #expect(back.state == "a state" && back.issuer == server.issuer.text)
        guard case .approved(over: let link) = back.outcome else { throw Unexpected() }
        // The attacker who asked, and sent the address to somebody, has no link.
        #expect(try await screen.poll().json(OAuthErrorResponse.self).error == .authorizationPending)
        #expect(
            try await screen.poll(over: TestServer.link(1)).json(OAuthErrorResponse.self).error
                == .authorizationPending)
        #expect(try await screen.poll(over: link).status == .ok)
        let evidence = EvidenceClaim(try #require(try await screen.exchange?.grant).evidence)
        #expect(evidence.way == .app && evidence.proximity == .redirect && evidence.hasDeviceKey)
        #expect(try await server.audited(.seen).count == 1)
    }

    @Test(arguments: [("https://tv.example.com/signed-in", true), (TestScreenHere.redirectURI, false)])
    func `is told whether nobody else can redeem its answer`(redirectURI: String, isAssured: Bool) async throws {
        let phone = try await server.providersApp()
        let screen = try await server.screenHere(returningTo: redirectURI)
        let shown = try await phone.shown(screen).response
        #expect(shown.redirectURI == redirectURI)
        #expect(shown.client == Fact(TestClients.tv.id, isAssured ? .verified : .asserted))
    }

    @Test func `brings back a denial`() async throws {
        let phone = try await server.providersApp()
        let screen = try await server.screenHere()
        let said = try await phone.decide(.deny, screen).confirmation
        #expect(said.outcome == .denied && said.location?.back?.outcome == .refused(.accessDenied))
        #expect(said.location?.back?.state == "a state")
        #expect(try await screen.poll().json(OAuthErrorResponse.self).error == .accessDenied)
    }

    @Test func `gets the same answer again when it was lost`() async throws {
        let phone = try await server.providersApp()
        let screen = try await server.screenHere()
        let signed = try phone.signed(try phone.claims(on: try await phone.shown(screen)))
        let first = try await phone.send(signed).confirmation
        let second = try await phone.send(signed).confirmation
        #expect(first == second && first.location != nil)
        guard case .approved(over: let link)? = second.location?.back?.outcome else { throw Unexpected() }
        #expect(try await screen.poll(over: link).status == .ok)
        // The link is spent with the grant.
        #expect(try await phone.send(signed).confirmation.location?.back?.outcome == .refused(.expiredToken))
    }

    @Test func `decides nothing against the server's rules, and is told so alone`() async throws {
        let phone = try await server.providersApp()
        let screen = try await server.screenHere()
        let claims = try phone.claims(on: try await phone.shown(screen))
        try await server.change { _ = try $0.clients.remove(TestClients.tv.id) }
        let answer = try await phone.send(claims)
        let said = try answer.json(ApproverErrorResponse.self)
        #expect(answer.status == .forbidden && said.error == .accessDenied && said.obstacle == nil)
        let exchange = try #require(try await screen.exchange)
        #expect(exchange.grant == nil && exchange.decider == nil)
        #expect(try await told(phone, screen) == .browser)
        #expect(try await server.audited(.seen).count == 1)
    }

    @Test func `is told where its person answered meanwhile, and the browser of another person tells it nothing`()
        async throws
    {
        let phone = try await server.providersApp()
        let screen = try await server.screenHere()
        let claims = try phone.claims(on: try await phone.shown(screen))
        try await server.browser(of: .anna).decide("approve", screen.codes)
        for answer in [try await phone.send(claims), try await phone.look(at: screen)] {
            #expect(answer.status == .badRequest && answer.error == .invalidGrant)
            #expect(try answer.json(ApproverErrorResponse.self).answeredBy != nil)
        }
        let next = try await server.screenHere()
        try await server.browser(of: .bert).decide("approve", next.codes)
        #expect(try await told(phone, next) == .browser)
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([], within: 60)] })
    func `decides nothing by a sign-in that became too old since the look, and the screen goes on waiting`()
        async throws
    {
        let server = TestServer.current
        let phone = try await server.providersApp()
        let screen = try await server.screenHere(scope: "openid play")
        server.clock.advance(by: .seconds(59))
        let shown = try await phone.shown(screen)
        server.clock.advance(by: .seconds(2))
        let answer = try await phone.send(try phone.claims(on: shown))
        let said = try answer.json(ApproverErrorResponse.self)
        #expect(answer.status == .forbidden && said.error == .accessDenied && said.obstacle == .recent)
        #expect(try await screen.poll().json(OAuthErrorResponse.self).error == .authorizationPending)
        // The same request is approved where the person signs in again.
        #expect(try await told(phone, screen) == .browser)
        try await server.browser(of: .anna).decide("approve", screen.codes)
        #expect(try await screen.exchange?.grant != nil)
    }

    @Test func `leaves to the browser what needs a passkey or a new sign-in`() async throws {
        let phone = try await server.providersApp()
        for demand in [ScopeDemands.Demand.userVerified, .secondFactor] {
            try await server.change(.tv) { $0.minimumEvidence = ScopeDemands([demand]) }
            #expect(try await told(phone, try await server.screenHere()) == .browser)
        }
        #expect(try await server.rows(of: "decision_nonces") == 0)
        for demand in [ScopeDemands.Demand.nearby, .number] {
            try await server.change(.tv) { $0.minimumEvidence = ScopeDemands([demand]) }
            let said = try await phone.decide(.approve, try await server.screenHere()).confirmation
            #expect(said.outcome == .approved)
        }
    }

    /// THREATS: a page of the web that opens the app with made-up codes, again and again.
    @Test(.server { $0.limits[.approverPerAccount] = nil })
    func `leaves other codes and ways back to the browser, and counts them, but not as guesses of its person`()
        async throws
    {
        let server = TestServer.current
        let phone = try await server.providersApp()
        let screen = try await server.screenHere()
        let code = screen.codes.userCode
        let other = try #require(TestScreenHere.other)
        #expect(try await told(phone, .activation(code, returningTo: other)) == .browser)
        let back = try RedirectURI(TestScreenHere.redirectURI)
        for text in ["BCDF-GHJK", "no code"] {
            #expect(try await told(phone, .activation(UserCodeText(text), returningTo: back)) == .browser)
        }
        #expect(try await server.rows(of: "decision_nonces") == 0)
        for _ in 0..<40 {
            #expect(try await told(phone, .activation(UserCodeText("BCDF-GHJK"), returningTo: back)) == .browser)
        }
        // The right one is as good as a wrong one from now on, so that nobody guesses.
        #expect(try await told(phone, screen) == .browser)
        // None of it is an act of the person, who can mistype a code, and type the right one.
        let anna = try await server.browser(of: .anna)
        let mistyped = try await anna.post("activate", ["user_code": "BCDF-GHJK"])
        #expect(mistyped.status == .unprocessableContent)
        try await anna.decide("approve", screen.codes)
        #expect(try await screen.exchange?.grant?.subject == TestPerson.anna.subject)
    }

    /// THREATS: the same, so often that the app could not answer anything else.
    @Test(.server { $0.limits[.approverPerAccount] = Limit(3, in: 60) })
    func `is opened by addresses as often as somebody likes, and still answers its person`() async throws {
        let server = TestServer.current
        let phone = try await server.providersApp()
        let back = try RedirectURI(TestScreenHere.redirectURI)
        let statuses = try await (0..<4).asyncMap { _ in
            try await phone.look(.activation(UserCodeText("BCDF-GHJK"), returningTo: back)).status
        }
        #expect(statuses == [.ok, .ok, .ok, .tooManyRequests])
        #expect(try await phone.look(SignInRequest.ID("unknown")).error == .invalidGrant)
    }

    @Test func `leaves a request without a way back to the browser`() async throws {
        let phone = try await server.providersApp()
        let codes = try await server.ask()
        let back = try RedirectURI(TestScreenHere.redirectURI)
        #expect(try await told(phone, .activation(codes.userCode, returningTo: back)) == .browser)
    }

    @Test func `remembers its person on the screen, if they choose it`() async throws {
        let phone = try await server.providersApp()
        let screen = try await server.screenHere(scope: "openid")
        var claims = try phone.claims(on: try await phone.shown(screen))
        claims.session = .remembered
        let location = try await phone.send(claims).confirmation.location
        guard case .approved(over: let link)? = location?.back?.outcome else { throw Unexpected() }
        let tokens = try await screen.poll(over: link).json(TokenResponse.self)
        #expect(try #require(tokens.idToken).revealed.isEmpty == false)
        #expect(try await server.rows(of: "remembered_screens") == 1)
    }

    /// The server's answer on what the app may do.
    private func told(
        _ phone: TestApprover, _ asked: ApproverLookRequest
    ) async throws -> ApproverLookResponse<ActivationLook> {
        let answer = try await phone.look(asked)
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(ApproverLookResponse<ActivationLook>.self)
    }

    private func told(
        _ phone: TestApprover, _ screen: TestScreenHere
    ) async throws -> ApproverLookResponse<ActivationLook> {
        try await phone.look(at: screen).json(ApproverLookResponse<ActivationLook>.self)
    }

    private struct Unexpected: Error {}
}
