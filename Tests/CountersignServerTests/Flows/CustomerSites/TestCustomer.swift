import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// A customer, whose server opens requests for a site.
struct TestCustomer: Sendable {
    let server: TestServer
    let environment: CustomerSite
    let secret: CustomerSiteSecret

    /// The telephone numbers that the tests use; the last one belongs to nobody.
    static let anna = "+31612345678"
    static let nobody = "+31687654321"

    /// Opens a server with a site; the number belongs to Anna.
    static func open(
        calling transport: any HTTPTransport = SystemTransport.make(),
        configuring: (inout ServerSettings) -> Void = { _ in },
        editing edit: @escaping @Sendable (inout CustomerSite) -> Void = { _ in },
        running test: @escaping @Sendable (TestCustomer) async throws -> Void
    ) async throws {
        try await TestServer.open(calling: transport, configuring: configuring) { server in
            try await test(try await add(to: server, editing: edit))
        }
    }

    /// Adds a site to a server; the number belongs to Anna.
    static func add(
        to server: TestServer,
        editing edit: (inout CustomerSite) -> Void = { _ in }
    ) async throws -> TestCustomer {
        let register = CustomerSiteRegistry(
            of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
        let (added, secret) = try await register.add(CustomerSiteDraft(name: "My Bank"))
        var environment = added
        edit(&environment)
        try await server.change { [environment] in try $0.environments.update(environment) }
        let customer = TestCustomer(server: server, environment: environment, secret: secret)
        try await customer.give(anna, to: .anna)
        return customer
    }

    /// Gives a number to a person, as an operator does.
    func give(_ number: String, to person: TestPerson) async throws {
        let now = server.clock.date
        let number = try PhoneNumber(number)
        try await server.change {
            try $0.phoneNumbers.keep(PhoneNumberRecord(number, of: person.subject, verified: now))
        }
    }

    // MARK: The backend API

    /// The body of a request to open; `changes` are JSON, and take a member away where they are empty.
    func body(_ changes: [String: String] = [:]) -> String {
        var members = ["environment_id": "\"\(environment.id)\"", "to": "\"\(Self.anna)\""]
        for (name, value) in changes { members[name] = value.isEmpty ? nil : value }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    func token(
        _ body: String? = nil,
        about request: String? = nil,
        by secret: CustomerSiteSecret? = nil,
        lifetime: Int = 60
    ) -> String {
        CustomerSiteToken.text(
            by: secret ?? self.secret, request: request, body: body.map { Array($0.utf8) }, at: server.clock.date,
            lifetime: lifetime)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        by token: String?,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        headers[.authorization] = token.map { "Bearer \($0)" }
        return try await server.send(method, path, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }

    /// Opens a request, and returns the answer.
    func ask(
        _ kind: AuthenticationRequest.Kind = .instant,
        _ changes: [String: String] = [:]
    ) async throws -> TestResponse {
        let body = body(changes)
        return try await send(.post, "/auth/v1.0/\(kind.rawValue)", body, by: token(body))
    }

    /// Opens a request.
    func open(
        _ kind: AuthenticationRequest.Kind = .instant,
        _ changes: [String: String] = [:]
    ) async throws -> AuthenticationRequest {
        let answer = try await ask(kind, changes)
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(AuthenticationRequest.self)
    }

    /// Reads a request.
    func read(_ request: AuthenticationRequest, prefer: String? = nil) async throws -> AuthenticationRequest {
        var headers: HTTPFields = [:]
        headers[.prefer] = prefer
        let path = "/auth/v1.0/\(request.kind.rawValue)/\(request.id)"
        let answer = try await send(.get, path, by: token(about: request.id.rawValue), headers: headers)
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(AuthenticationRequest.self)
    }

    /// Has a one-time password checked.
    func check(_ pin: String, of request: AuthenticationRequest) async throws -> TestResponse {
        let body = "{\"pin\":\"\(pin)\"}"
        return try await send(
            .put, "/auth/v1.0/otp/\(request.id)", body, by: token(body, about: request.id.rawValue))
    }

    /// The one-time password of a request, as its person reads it.
    func password(of request: AuthenticationRequest) async throws -> String {
        let keys = try await server.server.services.keys.current()
        let id = SignInRequest.ID(request.id.rawValue)
        return try #require(try await terms(of: request).revealedPassword(of: id, with: keys))
    }

    /// A request of another method, or none.
    private struct NoCustomerSite: Error {}

    /// The terms of a request, as they are stored.
    func terms(of request: AuthenticationRequest) async throws -> CustomerSiteTerms {
        let id = SignInRequest.ID(request.id.rawValue)
        let method = try await server.store.read { try $0.exchanges.find(id)?.method }
        guard case .customerSite(let terms) = method else { throw NoCustomerSite() }
        return terms
    }

    /// The deliveries about a request, the oldest first.
    func deliveries(about request: AuthenticationRequest) async throws -> [Delivery] {
        let id = SignInRequest.ID(request.id.rawValue)
        return try await server.store.read { try $0.deliveries.all(about: id) }
    }

    /// The words of a text that was not sent yet.
    func words(of delivery: Delivery) async throws -> String? {
        delivery.words(openedBy: try await server.server.services.keys.current())?.revealed
    }

    /// A device of the dialect of ours, of Anna's, in the site.
    func enrollDevice(_ name: String = "phone", pushable: Bool = true) async throws {
        let now = server.clock.date
        var device = EnrolledDevice(
            id: DeviceRegistration.ID(name), dialect: .signed, subject: TestPerson.anna.subject,
            signIn: Grant.ID("sign-in of \(name)"), created: now)
        device.isPushEnabled = pushable
        device.pushToken = pushable ? PushToken(revealing: "token of \(name)") : nil
        device.details.platform = "iOS"
        device.details.appID = "com.example.bank"
        let environment = environment.id
        let app = SignInRequest(
            id: SignInRequest.ID("request of \(name)"), client: .verified(ClientID("app")), scope: .verified(.none),
            asked: .observed(now), deadline: now + 60)
        let grant = Grant(
            id: Grant.ID("sign-in of \(name)"), subject: TestPerson.anna.subject, client: ClientID("app"), scope: .none,
            evidence: Evidence(), approved: now)
        let signIn = SignInRecord(grant: grant, request: app, signedIn: now, lastUsed: now, ends: now + 30 * 86_400)
        try await server.change { [device] repositories in
            try repositories.signIns.insert(signIn)
            try repositories.devices.insert(device)
            try repositories.devices.enroll(DeviceCustomerSite(device: device.id, environment: environment, added: now))
        }
    }

    /// Anna answers, by a party that is as good as any.
    func decide(
        _ answer: ProposedDecision.Answer,
        _ request: AuthenticationRequest,
        objecting objection: ProposedDecision.Objection? = nil
    ) async throws {
        let id = SignInRequest.ID(request.id.rawValue)
        let keys = try await server.server.services.keys.current()
        let typed = request.number.map { DigitsCode(of: $0, for: id, under: keys) }
        let outcome = try await server.server.services.approvals.deciding { repositories, step in
            let stored = try #require(try repositories.exchanges.find(id))
            let asked = stored.exchange.request
            let grant = Grant(
                id: Grant.ID("g"), subject: TestPerson.anna.subject, client: asked.client.value, scope: .none,
                evidence: Evidence(), approved: step.now)
            let earlier = SignInRecord(
                grant: grant, request: asked, signedIn: step.now, lastUsed: step.now, ends: step.now + 60)
            return try step.decide(
                ProposedDecision(
                    answer: answer,
                    stored: stored,
                    requestState: .open,
                    party: .earlierSignIn(earlier),
                    evidence: Evidence([.accountPassword(at: step.now), .namedByClient, .decisionSigned]),
                    address: nil,
                    typed: typed,
                    objection: objection
                )
            )
        }
        #expect(outcome == .decided)
    }
}

extension TestResponse {
    /// The error of the dialect.
    var failure: AuthenticatorError? { try? json(AuthenticatorError.self) }
}
