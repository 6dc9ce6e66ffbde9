import Countersign
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import Testing

/// A device that answers requests, from the QR code to the tokens of the client that asked.
@Suite("An enrolled device", .timeLimit(.minutes(10)))
struct AuthenticatorJourneyTests {
    @Test func `is enrolled by a ticket, and approves by the number that the client shows`() async throws {
        try await play { server, device in
            let asked = try await server.backendAsks("Order 42")
            let number = try #require(asked.verificationNumber)
            #expect(try await device.answer(.approve, number: number).response.status == .ok)
            server.clock.advance(by: .seconds(5))
            let tokens = try await poll(asked, at: server)
            #expect(tokens.response.status == .ok)
            #expect(try JSONDecoder().decode(TokenResponse.self, from: Data(tokens.body)).idToken != nil)
        }
    }

    @Test func `denies, and reports what its person did not start`() async throws {
        try await play { server, device in
            let denied = try await server.backendAsks("one")
            #expect(try await device.answer(.deny).response.status == .ok)
            server.clock.advance(by: .seconds(5))
            #expect(try error(of: try await poll(denied, at: server)) == "access_denied")
            let reported = try await server.backendAsks("two")
            #expect(try await device.answer(.report, reason: "not me").response.status == .ok)
            server.clock.advance(by: .seconds(5))
            #expect(try error(of: try await poll(reported, at: server)) == "access_denied")
            // The backend learns nothing of it, and the person is not asked.
            _ = try await server.backendAsks("three")
            #expect(try await device.inbox().requests.isEmpty)
        }
    }

    @Test func `shows one request at a time, however often somebody starts, and none once its person mutes them`()
        async throws
    {
        try await play { server, device in
            for _ in 0..<100 { _ = try await server.backendAsks("again") }
            for _ in 0..<3 {
                #expect(try await device.inbox().requests.count == 1)
                #expect(try await device.answer(.deny).response.status == .ok)
            }
            #expect(try await device.answer(.report, reason: "not me").response.status == .ok)
            #expect(try await device.inbox().requests.isEmpty)
        }
    }

    @Test func `hears of a request at once while it waits`() async throws {
        try await play { server, device in
            let (list, tag) = try await device.list()
            #expect(list.requests.isEmpty)
            async let next = device.list(knowing: tag, waiting: 60)
            _ = try await server.backendAsks("now")
            #expect(try await next.0.requests.count == 1)
        }
    }

    /// Standard: RFC 9470 §3, §4.
    @Test func `lets its person authenticate as a service demands, which then lets them in`() async throws {
        let wanted = AuthenticationClass.secondFactor.rawValue
        try await play { server, device in
            try await GuardedService.run(beside: server, wanting: [wanted]) { service in
                let visits = ServiceVisits(to: service, of: server, with: device)
                let refused = try await visits.visit()
                #expect(refused.response.status == .unauthorized)
                let served = try await visits.visit(after: refused)
                #expect(served.asked.acrValues == [wanted] && served.response.status == .ok)
                #expect(String(decoding: served.body, as: UTF8.self) == JourneyPerson.anna.subject.rawValue)
            }
        }
    }

    /// The token names another class, and its evidence shows the key.
    @Test func `lets its person in at once where a service wants an answer that their device signed`() async throws {
        try await play { server, device in
            try await GuardedService.run(beside: server, wanting: [AuthenticationClass.deviceKey.rawValue]) { service in
                let visits = ServiceVisits(to: service, of: server, with: device)
                let served = try await visits.visit()
                #expect(served.response.status == .ok)
            }
            try await GuardedService.run(beside: server, wanting: [AuthenticationClass.nearby.rawValue]) { service in
                let visits = ServiceVisits(to: service, of: server, with: device)
                let refused = try await visits.visit()
                #expect(refused.response.status == .unauthorized)
                // Nobody is nearby over the back channel, so the server says so before anybody is asked.
                await #expect(throws: SignInError.self) { try await visits.visit(after: refused) }
            }
        }
    }

    /// Standard: RFC 9470 §3, §4: `max_age`.
    @Test func `that verifies its person lets them in where a service wants them to have authenticated lately`()
        async throws
    {
        let wanted = AuthenticationClass.userVerified.rawValue
        try await play(configuring: { $0.userVerifyingApps = [ScriptedAuthenticator.app] }) { server, device in
            try await GuardedService.run(beside: server, wanting: [wanted], within: .seconds(60)) { service in
                // The device was enrolled half an hour ago.
                server.clock.advance(by: .seconds(1800))
                var visits = ServiceVisits(to: service, of: server, with: device)
                let refused = try await visits.visit()
                #expect(refused.response.status == .unauthorized)
                let challenge = StepUpChallenge(parsing: refused.response.headerFields[values: .wwwAuthenticate])
                #expect(challenge?.maxAge == 60)
                visits.device.verifiesUser = true
                let served = try await visits.visit(after: refused)
                #expect(served.response.status == .ok)
                #expect(String(decoding: served.body, as: UTF8.self) == JourneyPerson.anna.subject.rawValue)
            }
        }
    }

    @Test func `is signed out by the second use of its ticket`() async throws {
        try await play { server, device in
            server.clock.advance(by: .seconds(1))
            let again = try await ScriptedAuthenticator.redeem(device.ticket, at: server.issuer)
            #expect(try error(of: again) == "invalid_grant")
            let refused = try await LoopbackHTTP.get(server.issuer.appending("authenticator/inbox"), device.fields)
            #expect(refused.response.status == .unauthorized)
        }
    }

    // MARK: The story

    private func play(
        configuring: @Sendable (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (JourneyServer, ScriptedAuthenticator) async throws -> Void
    ) async throws {
        try await JourneyServer.with(configuring: configuring) { server in
            try await server.addPhoneApp()
            try await server.change { repositories in
                var backend = try #require(try repositories.clients.find(JourneyParties.backend))
                backend.backchannel.showsNumber = true
                try repositories.clients.update(backend)
            }
            let visitor = JourneyVisitor(at: server.issuer)
            try await visitor.signIn(as: .anna)
            let page = try await visitor.submit(
                try await visitor.open("/account"),
                to: "/account/devices/add",
                [:],
                expecting: "Scan this with the app"
            )
            let text = try #require(page.markup.firstMatch(of: /<code>([^<]+)<\/code>/)?.1)
            guard case .ticket(let issuer, let ticket) = CustomerSiteInvitation(String(text)) else {
                Issue.record("no invitation: \(text)")
                return
            }
            #expect(issuer == server.issuer.text)
            let tokens = try await ScriptedAuthenticator.redeem(ticket, at: server.issuer)
            let token = try JSONDecoder().decode(TokenResponse.self, from: Data(tokens.body)).accessToken
            let clock = server.clock
            let device = ScriptedAuthenticator(issuer: server.issuer, token: token, ticket: ticket) { clock.date }
            #expect(try await device.register().response.status == .ok)
            try await body(server, device)
        }
    }

    private func poll(
        _ asked: BackchannelAuthenticationResponse,
        at server: JourneyServer
    ) async throws -> HTTPAnswer {
        var form = TokenRequest.backchannelAuthentication(asked.request).form
        for parameter in JourneyParties.backendCredentials.parameters { form[parameter.name] = parameter.value }
        return try await LoopbackHTTP.post(form, to: server.issuer.appending("token"))
    }

    private func error(of answer: HTTPAnswer) throws -> String {
        try JSONDecoder().decode(OAuthErrorResponse.self, from: Data(answer.body)).error.rawValue
    }
}

/// A backend that calls a guarded service for Anna, with a token that she gives by her device.
private struct ServiceVisits: Sendable {
    struct NotSignedIn: Error {}

    /// The answer of the service, and the request that the backend had sent.
    struct Visit: Sendable {
        let asked: BackchannelAuthenticationRequest
        let answer: HTTPAnswer

        var response: HTTPResponse { answer.response }
        var body: [UInt8] { answer.body }
    }

    let service: String
    let server: JourneyServer
    var device: ScriptedAuthenticator
    private let signIn: BackchannelSignIn

    init(to service: String, of server: JourneyServer, with device: ScriptedAuthenticator) {
        self.service = service
        self.server = server
        self.device = device
        signIn = BackchannelSignIn(
            at: server.issuer,
            as: JourneyParties.backend,
            secret: JourneyParties.backendSecret,
            for: Scope([.openid]),
            in: RequesterContext(over: SystemTransport.make(), clock: server.clock.skipping, random: .system)
        )
    }

    /// Asks Anna, and goes to the service.
    ///
    /// - Parameter refused: The answer whose challenge is met; `nil`, the default, before there is one.
    func visit(after refused: Visit? = nil) async throws -> Visit {
        let person = PersonHint.login(JourneyPerson.anna.username)
        let asked: BackchannelAuthenticationRequest
        if let refused {
            let challenge = StepUpChallenge(parsing: refused.response.headerFields[values: .wwwAuthenticate])
            asked = signIn.request(answering: try #require(challenge), for: person)
        } else {
            asked = BackchannelAuthenticationRequest(for: person, scope: signIn.scope)
        }
        let awaited = try await signIn.start(asked)
        let number = awaited.response.verificationNumber
        #expect(try await device.answer(.approve, number: number).response.status == .ok)
        server.clock.advance(by: .seconds(5))
        guard case .signedIn(let signedIn) = try await signIn.outcome(of: awaited) else { throw NotSignedIn() }
        return Visit(
            asked: asked,
            answer: try await LoopbackHTTP.get(
                service, [.authorization: BearerHeader.value(for: signedIn.accessToken)]))
    }
}

/// The phone of a person, which does what `Documentation/Authenticator.md` says and nothing more.
private struct ScriptedAuthenticator: Sendable {
    static let app = JourneyPhone.app

    let issuer: Issuer
    let token: AccessToken
    let ticket: EnrollmentTicket
    let key = P256.Signing.PrivateKey()
    let now: @Sendable () -> Date
    /// Whether it asks its person for a PIN before it signs.
    var verifiesUser = false

    init(issuer: Issuer, token: AccessToken, ticket: EnrollmentTicket, now: @escaping @Sendable () -> Date) {
        self.issuer = issuer
        self.token = token
        self.ticket = ticket
        self.now = now
    }

    var fields: HTTPFields { [.authorization: BearerHeader.value(for: token)] }

    static func redeem(_ ticket: EnrollmentTicket, at issuer: Issuer) async throws -> HTTPAnswer {
        var form = TokenRequest.preAuthorizedCode(ticket).form
        form["client_id"] = app.rawValue
        return try await LoopbackHTTP.post(form, to: issuer.appending("token"))
    }

    func register() async throws -> HTTPAnswer {
        let publicKey = try #require(ApproverKey(rawRepresentation: key.publicKey.rawRepresentation))
        let proof = try UnverifiedDeviceKeyProof.text(of: publicKey, for: issuer.text, presenting: token) { bytes in
            Array(try key.signature(for: bytes).rawRepresentation)
        }
        var fields = fields
        fields[.contentType] = "application/json"
        return try await LoopbackHTTP.put(
            Array("{\"key_proof\":\"\(proof)\"}".utf8), to: issuer.appending("authenticator/device"), fields)
    }

    func inbox() async throws -> AuthenticatorInbox { try await list().0 }

    func list(knowing tag: String? = nil, waiting seconds: Int? = nil) async throws -> (AuthenticatorInbox, tag: String)
    {
        var fields = fields
        fields[.ifNoneMatch] = tag
        if let seconds { fields[HTTPField.Name("Prefer")!] = "wait=\(seconds)" }
        let answer = try await LoopbackHTTP.get(issuer.appending("authenticator/inbox"), fields)
        return (
            try JSONDecoder().decode(AuthenticatorInbox.self, from: Data(answer.body)),
            try #require(answer.response.headerFields[.eTag])
        )
    }

    /// Looks at the request that waits, and sends the signed answer.
    func answer(
        _ answer: DecisionClaims.Answer,
        number: String? = nil,
        reason: String? = nil
    ) async throws -> HTTPAnswer {
        let asked = try #require(try await inbox().requests.first)
        let request = ApproverLookRequest.inbox(asked.exchange).form
        let answered = try await LoopbackHTTP.post(request, to: issuer.appending("approver/look"), fields)
        let response = try JSONDecoder().decode(ApproverLookResponse<InboxLook>.self, from: Data(answered.body))
        guard case .decide(let look) = response else {
            Issue.record("the request can be decided")
            return answered
        }
        let claims = DecisionClaims(
            answer,
            by: .inbox(InboxFinding(number: number, reason: reason, isUserVerified: verifiesUser)),
            on: look,
            shown: AnswerDigest(of: answered.body),
            audience: issuer.text,
            issued: Int(now().timeIntervalSince1970),
            id: UUID().uuidString
        )
        let publicKey = try #require(ApproverKey(rawRepresentation: key.publicKey.rawRepresentation))
        let text = try UnverifiedDecision.text(of: claims, by: publicKey) { bytes in
            Array(try key.signature(for: bytes).rawRepresentation)
        }
        return try await LoopbackHTTP.post(
            ApproverDecideRequest.form(with: text), to: issuer.appending("approver/decide"), fields)
    }
}
