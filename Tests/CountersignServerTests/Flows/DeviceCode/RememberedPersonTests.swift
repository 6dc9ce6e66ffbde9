import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A screen that shows a code, and asks the person whom it remembers on their devices, too: one request, one decision.
@Suite("A person who is remembered on a screen", .server)
struct RememberedPersonTests {
    let server = TestServer.current

    /// The ID token of an earlier sign-in at the same screen.
    private func hint(of person: TestPerson = .anna, as client: TestClients = .tv) async throws -> String {
        try #require(try await server.signedIn(client, as: person, scope: "openid", session: .remembered).idToken)
            .revealed
    }

    private func ask(
        remembering hint: String?,
        showingNumbers: Bool = true,
        nearby verifier: NearbyVerifier? = nil
    ) async throws -> DeviceAuthorizationResponse {
        var form = TestClients.tv.form
        form["nearby_challenge"] = verifier?.challenge.description
        form["scope"] = "openid"
        form["id_token_hint"] = hint
        var headers: HTTPFields = [:]
        if showingNumbers { headers[.prefer] = NumberPreference().headerValue }
        let answer = try await server.post(server.path("device_authorization"), form, headers: headers)
        return try answer.json(DeviceAuthorizationResponse.self)
    }

    private func poll(_ codes: DeviceAuthorizationResponse) async throws -> TestResponse {
        server.clock.advance(by: .seconds(6))
        return try await server.poll(codes)
    }

    private func number(_ codes: DeviceAuthorizationResponse) async throws -> String {
        try #require(try await poll(codes).json(OAuthErrorResponse.self).verificationNumber).rawValue
    }

    @Test func `approves in the inbox with the number of the screen`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint())
        #expect(codes.ways == [.code, .push])
        let number = try await number(codes)
        #expect(try await device.entries().count == 1)
        let missed = try await device.decide(.approve, number: TestScreenByLink.another(than: number))
        #expect(try missed.json(OAuthErrorResponse.self).error == .invalidNumber)
        #expect(try await device.decide(.approve, number: number).status == .ok)
        let tokens = try await poll(codes).json(TokenResponse.self)
        #expect(tokens.idToken != nil)
        #expect(try await device.entries().isEmpty)
    }

    @Test func `is told on their device that the screen remembers them, or does not`() async throws {
        let device = try await server.authenticator()
        let hint = try await hint()
        let codes = try await ask(remembering: hint)
        let told = try await device.shown().response.approval
        #expect(told?.isRemembered == true && told?.sessionTerms == SessionTerm.allCases)
        #expect(try await device.decide(.deny).status == .ok)
        #expect(try await poll(codes).json(OAuthErrorResponse.self).error == .accessDenied)

        let code = try await server.browser(of: .anna).newCode()
        let other = try TestClients.tv.form.with(["scope": "openid", "person_code": code.revealed])
        #expect(try await server.post(server.path("device_authorization"), other).status == .ok)
        #expect(try await device.shown().response.approval?.isRemembered == false)
    }

    /// The link needs no number; one that the person typed, because the list had asked for it before, has to be right.
    @Test func `approves over a link with the number or without one, and not with a wrong one`() async throws {
        let device = try await server.authenticator()
        let hint = try await hint()
        for typesNumber in [true, false] {
            let verifier = NearbyVerifier(drawingFrom: .system)
            let codes = try await ask(remembering: hint, nearby: verifier)
            let screen = TestScreenNearby(
                server: server, client: .tv, codes: codes, verifier: verifier, link: TestServer.link(7))
            let number = try await number(codes)
            var claims = device.claims(on: try await device.shown(screen), over: screen.link)
            if typesNumber {
                claims.nearby.number = TestScreenByLink.another(than: number)
                let missed = try await device.send(claims).json(OAuthErrorResponse.self)
                #expect(missed.error == .invalidNumber)
                claims.nearby.number = number
                claims.id = "another decision"
            }
            #expect(try await device.send(claims).status == .ok)
            let evidence = try #require(try await server.exchange(of: screen)?.grant?.evidence)
            #expect(evidence.proofs.contains(.numberMatched) == typesNumber && evidence.isNearby)
            server.clock.advance(by: .seconds(6))
            #expect(try await screen.poll(over: screen.link).status == .ok)
        }
    }

    @Test func `does not approve without the number`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint())
        #expect(try await device.decide(.approve).json(OAuthErrorResponse.self).error == .invalidNumber)
        #expect(try await poll(codes).json(OAuthErrorResponse.self).error == .authorizationPending)
    }

    @Test func `leaves the code to everybody, and one decision counts`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint())
        let number = try await number(codes)
        let shown = try await device.shown()
        try await server.browser(of: .bert).decide("approve", codes)
        #expect(try await device.entries().isEmpty)
        let late = try await device.send(
            device.claims(.approve, by: .inbox(InboxFinding(number: number)), on: shown))
        #expect(late.status != .ok)
        #expect(try await poll(codes).status == .ok)
        let grant = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange.grant }
        #expect(grant?.subject == TestPerson.bert.subject)
    }

    @Test func `approves with the number after somebody else typed the code`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint())
        let number = try await number(codes)
        let bert = try await server.browser(of: .bert)
        try await bert.take(codes)
        #expect(try await self.number(codes) == number)
        #expect(try await device.decide(.approve).json(OAuthErrorResponse.self).error == .invalidNumber)
        #expect(try await device.decide(.approve, number: number).status == .ok)
        let grant = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange.grant }
        #expect(grant?.subject == TestPerson.anna.subject && grant?.evidence.matchesNumber == true)
    }

    @Test(arguments: [TestPerson.bert, .anna])
    func `leaves a person who typed the code without a number to type`(person: TestPerson) async throws {
        let codes = try await ask(remembering: try await hint())
        let browser = try await server.browser(of: person)
        try await browser.take(codes)
        let page = try await browser.get("activate/confirm?user_code=\(codes.userCode)")
        #expect(page.status == .ok && page.field("number") == nil && !page.text.contains(#"name="number""#))
        #expect(try await browser.answer("approve", codes).location?.hasPrefix("/activate/result?") == true)
        let grant = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange.grant }
        #expect(grant?.subject == person.subject && grant?.evidence.matchesNumber == false)
    }

    @Test func `learns in the inbox that the screen stopped asking`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint())
        let listed = try await device.inbox().json(AuthenticatorInbox.self)
        let entry = try #require(listed.requests.first)
        #expect(listed.cancelled == nil)
        let form: Form = ["token": codes.deviceCode.revealed, "token_type_hint": "device_code"]
        #expect(try await server.post(server.path("revoke"), try form.with(TestClients.tv.form)).status == .ok)
        let after = try await device.inbox().json(AuthenticatorInbox.self)
        #expect(after.requests.isEmpty && after.cancelled == [entry.exchange])
        // Another person's device learns nothing of it.
        let other = try await server.authenticator(of: .bert)
        #expect(try await other.inbox().json(AuthenticatorInbox.self).cancelled == nil)
    }

    @Test func `is not asked by push where only a phone nearby is enough`() async throws {
        let hint = try await hint()
        try await server.change(.tv) { $0.minimumEvidence = ScopeDemands([.nearby]) }
        let device = try await server.authenticator()
        var form = TestClients.tv.form
        form["scope"] = "openid"
        form["id_token_hint"] = hint
        form["nearby_challenge"] = NearbyVerifier(drawingFrom: .system).challenge.description
        let answer = try await server.post(
            server.path("device_authorization"), form, headers: [.prefer: NumberPreference().headerValue])
        #expect(try answer.json(DeviceAuthorizationResponse.self).ways == [.nearby])
        #expect(try await device.entries().isEmpty)
    }

    @Test func `is asked on their account page, where the number is typed, too`() async throws {
        let codes = try await ask(remembering: try await hint())
        let number = try await number(codes)
        let anna = try await server.browser(of: .anna)
        let id = try #require(try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.id })
        #expect(try await anna.get("account").text.contains(id.rawValue))
        #expect(try await anna.post("activate", ["request": id.rawValue]).status == .seeOther)
        let form: Form = ["request": id.rawValue, "decision": "approve"]
        let without = try await anna.post("activate/decision", form)
        #expect(without.headers[.location]?.contains("number=wrong") == true)
        _ = try await anna.post("activate/decision", try form.with(["number": number]))
        #expect(try await poll(codes).status == .ok)
    }

    @Test func `is not asked by another person's request`() async throws {
        let codes = try await ask(remembering: try await hint())
        let id = try #require(try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.id })
        let bert = try await server.browser(of: .bert)
        #expect(try await bert.get("account").text.contains(id.rawValue) == false)
        #expect(try await bert.post("activate", ["request": id.rawValue]).status != .seeOther)
    }

    /// THREATS: prompts by the hundred until one is approved.
    @Test func `is called ten times in ten minutes at most, and the screen does not learn of it`() async throws {
        let hint = try await hint()
        var ways: Set<Set<SignInWay>?> = []
        for _ in 0..<100 { ways.insert(try await ask(remembering: hint).ways) }
        #expect(ways.count == 1)
        #expect(try await callsOfThirtyQuestions(by: hint) == 0)
        server.clock.advance(by: .seconds(601))
        #expect(try await callsOfThirtyQuestions(by: hint) == 10)
    }

    private func callsOfThirtyQuestions(by hint: String) async throws -> Int {
        var calls = 0
        for _ in 0..<30 {
            let codes = try await ask(remembering: hint)
            let stored = try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest) }
            if !(try #require(stored).terms.isSilent) { calls += 1 }
        }
        return calls
    }

    @Test func `is not asked by a screen that shows no number`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint(), showingNumbers: false)
        #expect(codes.ways == [.code])
        #expect(try await device.entries().isEmpty)
    }

    @Test(arguments: ["another client's", "no token", "a forged one"])
    func `is not asked because of a token that is not good`(kind: String) async throws {
        let device = try await server.authenticator()
        let good = try await hint()
        let hint =
            switch kind {
            case "another client's": try await self.hint(as: .radio)
            case "no token": "x"
            default: String(good.dropLast(4)) + "AAAA"
            }
        let codes = try await ask(remembering: hint)
        #expect(codes.ways == [.code])
        #expect(try await device.entries().isEmpty)
    }

    @Test func `is not asked while they are locked`() async throws {
        let hint = try await hint()
        try await server.lock(.anna)
        let codes = try await ask(remembering: hint)
        #expect(codes.ways == [.code] && codes.isRemembered == false)
    }

    // MARK: Remembering

    private func screens(of person: TestPerson = .anna) async throws -> [RememberedScreen] {
        try await server.store.read { try $0.rememberedScreens.all(of: person.subject) }
    }

    /// The screen that an ID token names; `nil` for none.
    private func screen(in token: UnverifiedIDToken?) async throws -> String? {
        try await server.read(try #require(token).revealed).text("countersign_screen")
    }

    @Test func `chose it, which the ID token and every later one says`() async throws {
        let codes = try await server.ask(scope: "openid", deviceName: "Kitchen")
        try await server.browser(of: .anna).decide("approve", codes, session: .remembered)
        #expect(try await screens().isEmpty)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        let kept = try #require(try await screens().first)
        #expect(kept.client == TestClients.tv.id && kept.name == "Kitchen" && kept.since == server.clock.date)
        #expect(try await screen(in: tokens.idToken) == kept.id.rawValue)
        #expect(kept.id.rawValue.utf8.count == 22 && tokens.authorizationExpiresIn == nil)
        let refreshed = try await server.refresh(tokens.refreshToken).json(TokenResponse.self)
        #expect(try await screen(in: refreshed.idToken) == kept.id.rawValue)
        #expect(try await ask(remembering: refreshed.idToken?.revealed).isRemembered == true)
        let audited = try await server.audited(.screenRemembered)
        #expect(audited.map(\.detail) == ["Kitchen"] && audited.first?.by == .person)
        let approved = try #require(try await server.audited(.approved).first?.detail)
        #expect(approved.contains("session: remember"))
        let id = try #require(try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.id })
        let records = try await server.store.read { try RequestRecords(of: id, in: $0) }
        let history = RequestHistory(try #require(records), at: server.clock.date)
        #expect(
            history.events.map(\.english).suffix(2) == ["The app was signed in", "The screen remembers the person"])
    }

    @Test(arguments: [SessionTerm.own, .hour, nil])
    func `is not remembered without their choice, whatever the screen keeps`(session: SessionTerm?) async throws {
        let device = try await server.authenticator()
        let token = try await server.signedIn(scope: "openid", session: session).idToken
        #expect(try await screen(in: token) == nil)
        let codes = try await ask(remembering: token?.revealed)
        #expect(codes.ways == [.code] && codes.isRemembered == false)
        #expect(try await device.entries().isEmpty)
        #expect(try await screens().isEmpty)
        #expect(try await ask(remembering: nil).isRemembered == nil)
    }

    @Test func `is not remembered by a screen without an ID token`() async throws {
        _ = try await server.signedIn(scope: "profile", session: .remembered)
        #expect(try await screens().isEmpty)
        let anna = try await server.browser(of: .anna)
        let codes = try await server.ask(scope: "profile")
        try await anna.take(codes)
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode.rawValue)").text
        #expect(page.contains(#"<option value="own" selected>"#) && !page.contains(#"<option value="remember""#))
    }

    @Test(arguments: [true, false])
    func `is told on the page that asks that no choice there ends it`(isRemembered: Bool) async throws {
        let codes = try await ask(remembering: isRemembered ? try await hint() : nil)
        let anna = try await server.browser(of: .anna)
        try await anna.take(codes)
        let page = try await anna.get("activate/confirm?user_code=\(codes.userCode.rawValue)").text
        #expect(page.contains(#"<select id="session" name="session""#))
        #expect(page.contains("This screen remembers you, whatever you choose.") == isRemembered)
        #expect(page.contains(#"aria-describedby="session_hint""#) == isRemembered)
    }

    @Test func `stays remembered by signing in there again, on the same record`() async throws {
        let device = try await server.authenticator()
        let hint = try await hint()
        let before = try #require(try await screens().first)
        server.clock.advance(by: .seconds(60))
        let codes = try await ask(remembering: hint)
        #expect(try await device.decide(.approve, number: try await number(codes)).status == .ok)
        let tokens = try await poll(codes).json(TokenResponse.self)
        #expect(try await screen(in: tokens.idToken) == before.id.rawValue)
        let after = try await screens()
        #expect(after.map(\.id) == [before.id] && after.first?.since == before.since)
        #expect(after.first?.lastUsed == server.clock.date)
        #expect(try await server.audited(.screenRemembered).count == 1)
    }

    @Test func `chooses it on a device that signs the answer`() async throws {
        let device = try await server.authenticator()
        let codes = try await ask(remembering: try await hint())
        var claims = device.claims(on: try await device.shown(), number: try await number(codes))
        claims.session = .quarterHour
        #expect(try await device.send(claims).status == .ok)
        let tokens = try await poll(codes).json(TokenResponse.self)
        #expect(try #require(tokens.authorizationExpiresIn) <= 900)
        #expect(try await screen(in: tokens.idToken) != nil)
    }

    @Test func `sees the screens on their account page, and ends what they want there`() async throws {
        let hint = try await hint()
        let kept = try #require(try await screens().first)
        let (anna, bert) = (try await server.browser(of: .anna), try await server.browser(of: .bert))
        let page = try await anna.get("account").text
        #expect(page.contains("Screens that remember you") && page.contains(kept.id.rawValue))
        #expect(try await !bert.get("account").text.contains("Screens that remember you"))
        let form: Form = ["screen": kept.id.rawValue]
        #expect(try await bert.post("account/screens/forget", form).location == "/account?done=nothing")
        #expect(try await ask(remembering: hint).isRemembered == true)
        #expect(try await anna.post("account/screens/forget", form).location == "/account?done=forgotten")
        #expect(try await anna.get("account?done=forgotten").text.contains("no longer remembers you"))
        let codes = try await ask(remembering: hint)
        #expect(codes.ways == [.code] && codes.isRemembered == false)
        #expect(try await server.audited(.screenForgotten).map(\.by) == [.person])
    }

    @Test func `is asked nothing more by the screen once they ended that it remembers them`() async throws {
        let device = try await server.authenticator()
        let hint = try await hint()
        let kept = try #require(try await screens().first)
        let codes = try await ask(remembering: hint)
        let number = try await number(codes)
        let shown = try await device.shown()
        let anna = try await server.browser(of: .anna)
        _ = try await anna.post("account/screens/forget", ["screen": kept.id.rawValue])
        #expect(try await device.entries().isEmpty)
        #expect(try await anna.get("account").field("request") == nil)
        let late = try await device.send(device.claims(.approve, by: .inbox(InboxFinding(number: number)), on: shown))
        #expect(late.error == .invalidGrant)
        #expect(try await poll(codes).json(OAuthErrorResponse.self).error == .accessDenied)
        let entry = try #require(try await server.audited(.withdrawn).last)
        #expect(entry.by == .person && entry.subject == TestPerson.anna.subject)
    }

    @Test func `ends by it no request that another person has opened`() async throws {
        let hint = try await hint()
        let kept = try #require(try await screens().first)
        let codes = try await ask(remembering: hint)
        let bert = try await server.browser(of: .bert)
        try await bert.take(codes)
        _ = try await server.browser(of: .anna).post("account/screens/forget", ["screen": kept.id.rawValue])
        #expect(try await bert.answer("approve", codes).location?.hasPrefix("/activate/result?") == true)
        #expect(try await poll(codes).status == .ok)
    }

    @Test func `is not remembered again by an approval that was made before they ended it`() async throws {
        let hint = try await hint()
        let kept = try #require(try await screens().first)
        let codes = try await ask(remembering: hint)
        let anna = try await server.browser(of: .anna)
        try await anna.decide("approve", codes, session: .remembered)
        _ = try await anna.post("account/screens/forget", ["screen": kept.id.rawValue])
        let tokens = try await poll(codes).json(TokenResponse.self)
        #expect(try await screens().isEmpty)
        #expect(try await ask(remembering: tokens.idToken?.revealed).isRemembered == false)
    }

    /// A screen that gives its tokens back may only sign its person out.
    @Test(arguments: [true, false])
    func `is not remembered by a sign-in that they undo, and is after one that a screen gives back`(
        atScreen: Bool
    ) async throws {
        let first = try await server.signedIn(scope: "openid", session: .remembered)
        let again = try await ask(remembering: first.idToken?.revealed)
        let anna = try await server.browser(of: .anna)
        try await anna.decide("approve", again)
        let codes = try await server.ask(scope: "openid")
        try await anna.decide("approve", codes, session: .remembered)
        let later = try await poll(again).json(TokenResponse.self)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        #expect(try await screens().count == 2)
        for undone in [later, tokens] {
            if atScreen {
                let form: Form = ["token": undone.refreshToken?.revealed]
                _ = try await server.post(server.path("revoke"), try form.with(TestClients.tv.form))
            } else {
                let record = try #require(
                    try await server.store.read { repositories in
                        let access = try repositories.accessTokens.find(undone.accessToken.digest)
                        return try access?.grant.flatMap { try repositories.signIns.find($0) }
                    })
                _ = try await anna.post("account/undo", ["grant": record.grant.id.rawValue])
            }
        }
        guard !atScreen else {
            #expect(try await screens().count == 2)
            return
        }
        // The one of the first sign-in was there before.
        let kept = try #require(try await screen(in: first.idToken))
        #expect(try await screens().map(\.id.rawValue) == [kept])
    }

    @Test func `does not become the person of another who signs in there`() async throws {
        let codes = try await ask(remembering: try await hint())
        try await server.browser(of: .bert).decide("approve", codes)
        let tokens = try await poll(codes).json(TokenResponse.self)
        #expect(try await screen(in: tokens.idToken) == nil)
        #expect(try await screens().count == 1)
        #expect(try await screens(of: .bert).isEmpty)
    }

    enum Ending: CaseIterable {
        case removal, client, disuse
    }

    @Test(arguments: Ending.allCases)
    func `is forgotten with their account, with the client, and after long disuse`(ending: Ending) async throws {
        _ = try await hint()
        let now = server.clock.date
        switch ending {
        case .removal: try await server.change { try Revocation($0).endAll(of: TestPerson.anna.subject, at: now) }
        case .client: try await server.remove(.tv)
        case .disuse:
            server.clock.advance(by: .seconds(KeyRotation.hints + 1))
            try await server.maintenance().sweep()
        }
        #expect(try await screens().isEmpty)
    }

    @Test func `has a bounded number of screens of one client, of which the unused ones go`() async throws {
        let now = server.clock.date
        let old = (0..<RememberedScreen.most).map { number in
            RememberedScreen(
                id: RememberedScreenID("\(number)"), subject: TestPerson.anna.subject, client: TestClients.tv.id,
                name: nil, since: now, lastUsed: now - 1000 + Double(number))
        }
        try await server.change { for one in old { try $0.rememberedScreens.keep(one) } }
        _ = try await hint()
        let left = try await screens()
        #expect(left.count == RememberedScreen.most && !left.contains { $0.id == old[0].id })
        #expect(try await server.audited(.screenForgotten).map(\.by) == [.server])
    }
}
