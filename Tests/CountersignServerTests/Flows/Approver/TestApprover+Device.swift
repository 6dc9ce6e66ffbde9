import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// The app of a person on a device that answers requests.
extension TestApprover {
    /// The app that redeems tickets.
    static let app = ClientID("authenticator")

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ form: Form? = nil,
        headers more: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        headers.append(contentsOf: more)
        if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        return try await server.send(
            method,
            server.path("authenticator/\(path)"),
            headers: headers,
            body: form.map { ByteBuffer(string: $0.encoded) }
        )
    }

    /// Registers the device.
    func register(_ edit: (inout DeviceDetails) -> Void = { _ in }) async throws -> TestResponse {
        var details = DeviceDetails()
        details.model = "Handy"
        details.platform = "iOS"
        details.keyProof = try keyProof()
        edit(&details)
        return try await register(json: Array(try JSONEncoder().encode(details)))
    }

    /// The proof that it holds its key.
    func keyProof(for issuer: String? = nil, presenting other: AccessToken? = nil) throws -> String {
        try UnverifiedDeviceKeyProof.text(
            of: try publicKey, for: issuer ?? server.issuer.text, presenting: other ?? token
        ) { bytes in
            Array(try key.signature(for: bytes).rawRepresentation)
        }
    }

    func register(json: [UInt8]) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/json"
        return try await server.send(
            .put, server.path("authenticator/device"), headers: headers, body: ByteBuffer(bytes: json))
    }

    func inbox(knowing tag: String? = nil, prefer: String? = nil) async throws -> TestResponse {
        var more: HTTPFields = [:]
        more[.ifNoneMatch] = tag
        more[.prefer] = prefer
        return try await send(.get, "inbox", headers: more)
    }

    func entries() async throws -> [AuthenticatorInbox.Entry] {
        try await inbox().json(AuthenticatorInbox.self).requests
    }

    func look(_ id: SignInRequest.ID) async throws -> TestResponse { try await look(.inbox(id)) }

    /// Looks at the request that waits.
    func shown() async throws -> Shown<InboxLook> {
        try shown(try await look(try #require(try await entries().first).exchange))
    }

    func claims(
        on shown: Shown<InboxLook>,
        _ answer: DecisionClaims.Answer = .approve,
        number: String? = nil,
        reason: String? = nil
    ) -> DecisionClaims {
        claims(answer, by: .inbox(InboxFinding(number: number, reason: reason)), on: shown)
    }

    /// Looks at the request that waits, and answers it.
    @discardableResult
    func decide(
        _ answer: DecisionClaims.Answer,
        number: String? = nil,
        reason: String? = nil
    ) async throws -> TestResponse {
        try await send(claims(on: try await shown(), answer, number: number, reason: reason))
    }
}

extension TestServer {
    /// Registers the app that redeems tickets.
    func addAuthenticatorApp(_ edit: (inout Client) -> Void = { _ in }) async throws {
        var app = Client(
            id: TestApprover.app,
            name: "The authenticator",
            kind: .public,
            grantTypes: [.preAuthorizedCode, .refreshToken],
            scope: Scope([.openid, .offlineAccess, .nearbyApprove]),
            tokenFormat: .opaque,
            lifetimes: Lifetimes(accessToken: 86_400),
            created: clock.date
        )
        edit(&app)
        try await change { [app] in try $0.clients.insert(app) }
    }

    /// A ticket that a person makes on the account page.
    func ticket(of person: TestPerson = .anna) async throws -> EnrollmentTicket {
        try await ticket(at: try await browser(of: person))
    }

    /// A ticket that a person makes in this browser.
    func ticket(at browser: TestBrowser) async throws -> EnrollmentTicket {
        let page = try await browser.post("account/devices/add", [:])
        #expect(page.status == .ok, "\(page.text)")
        let start = try #require(page.text.range(of: "\(issuer.text)/authenticator/enroll#"))
        let text = page.text[start.upperBound...].prefix { $0.isLetter || $0.isNumber || "-_".contains($0) }
        return EnrollmentTicket(revealing: String(text))
    }

    func redeem(_ ticket: EnrollmentTicket, as app: ClientID = TestApprover.app) async throws -> TestResponse {
        let form = try TokenRequest.preAuthorizedCode(ticket).form.with(["client_id": app.rawValue])
        return try await post(path("token"), form)
    }

    /// A device of a person, which is enrolled and registered.
    func authenticator(of person: TestPerson = .anna) async throws -> TestApprover {
        let isKnown = try await store.read { try $0.clients.find(TestApprover.app) != nil }
        if !isKnown { try await addAuthenticatorApp() }
        let tokens = try await redeem(try await ticket(of: person))
        #expect(tokens.status == .ok, "\(tokens.text)")
        let device = TestApprover(server: self, token: try tokens.json(TokenResponse.self).accessToken)
        #expect(try await device.register().status == .ok)
        return device
    }
}
