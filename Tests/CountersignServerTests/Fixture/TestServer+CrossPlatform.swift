import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// The services that a test may ask for.
enum TestDomain: String, Sendable, CaseIterable {
    /// Asks before it lets a device in that its person signed in elsewhere.
    case radio = "radio.example.com"
    /// Lets devices in that are signed in for one of its group.
    case news = "news.example.com:8443"
    /// Of the same group, and lets them in as well.
    case sport = "sport.example.com"
    /// Lets nobody in without a code.
    case bank = "bank.example.com"
    /// Lets devices of its group in, as the only domain there.
    case alone = "alone.example.com"

    var name: Domain { Domain(rawValue) }
    var credential: AccessToken { AccessToken(revealing: "credential of \(self)".replacing(" ", with: "-")) }

    func record(created: Date) -> ServiceDomain {
        let (signOn, group): (ServiceDomain.SignOn, String?) =
            switch self {
            case .radio: (.ask, "public")
            case .news, .sport: (.automatic, "public")
            case .bank: (.never, nil)
            case .alone: (.automatic, "alone")
            }
        return ServiceDomain(
            name: name,
            displayName: "The \(self)",
            credential: credential.digest,
            signOn: signOn,
            group: group,
            redirectURIs: ["https://\(name)/done"],
            created: created
        )
    }
}

extension TestServer {
    /// Sends JSON just as it is written here.
    func post(_ path: String, json: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await post(path, raw: json, headers: headers)
    }

    /// Sends an object of texts.
    func post(_ path: String, object members: [String: String], headers: HTTPFields = [:]) async throws -> TestResponse
    {
        let json = String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
        return try await post(path, json: json, headers: headers)
    }

    /// A device that has just registered itself.
    func newDevice(named name: String = "Kitchen radio") async throws -> TestDevice {
        let asked = ["client_name": name, "software_id": "com.example.radio", "software_version": "1.0.2"]
        let answer = try await post(path("cpa/register"), object: asked)
        #expect(answer.status == .created)
        let identity = try answer.json(ClientRegistrationResponse.self)
        return TestDevice(server: self, id: identity.client, secret: identity.secret)
    }

    /// The answer that a service gets about a token.
    func check(
        _ token: AccessToken,
        for domain: TestDomain,
        by asker: TestDomain? = nil
    ) async throws -> TestResponse {
        try await post(
            path("cpa/authorized"),
            object: ["access_token": token.revealed, "domain": domain.rawValue],
            headers: [.authorization: BearerHeader.value(for: (asker ?? domain).credential)]
        )
    }

    /// A person answers what waits for them without a code, as the page that shows it does.
    func confirm(_ decision: String, as person: TestPerson) async throws {
        let now = clock.date
        try await change { repositories in
            guard var stored = try repositories.exchanges.waiting(for: person.subject, at: now).last else {
                throw NothingWaits()
            }
            let request = stored.exchange.request
            let evidence = Evidence([.accountPassword(at: now), .signedInBefore])
            let browser = ApproverIdentity(subject: person.subject, id: ApproverID("browser"))
            try stored.exchange.take(by: browser, proving: evidence, at: now)
            let grant = Grant(
                id: Grant.ID("confirmed \(request.id)"),
                subject: person.subject,
                client: request.client.value,
                scope: request.scope.value,
                evidence: evidence,
                approved: now
            )
            try stored.exchange.record(decision == "approve" ? .approve(grant) : .deny, by: browser, at: now)
            try repositories.exchanges.update(stored)
        }
    }

    /// The number of requests that wait for a person without a code.
    func waiting(for person: TestPerson) async throws -> Int {
        let now = clock.date
        return try await store.read { try $0.exchanges.waiting(for: person.subject, at: now).count }
    }

    private struct NothingWaits: Error {}
}

/// An app on a device that speaks Cross-Platform Authentication.
struct TestDevice: Sendable {
    let server: TestServer
    let id: ClientID
    let secret: ClientSecret

    private var identity: [String: String] { ["client_id": id.rawValue, "client_secret": secret.revealed] }

    /// Asks for a person to sign it in.
    func associate(_ domain: TestDomain = .radio, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await server.post(
            server.path("cpa/associate"), object: identity.merging(["domain": domain.rawValue]) { $1 },
            headers: headers)
    }

    func associated(_ domain: TestDomain = .radio) async throws -> AssociationResponse {
        let answer = try await associate(domain)
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(AssociationResponse.self)
    }

    /// Asks for a token by its own identity.
    func renew(_ domain: TestDomain = .radio, headers: HTTPFields = [:]) async throws -> TestResponse {
        let grant = ["grant_type": "http://tech.ebu.ch/cpa/1.0/client_credentials", "domain": domain.rawValue]
        return try await server.post(server.path("cpa/token"), object: identity.merging(grant) { $1 }, headers: headers)
    }

    /// Asks for a token by a device code.
    func poll(
        _ association: AssociationResponse,
        _ domain: TestDomain = .radio,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let grant = [
            "grant_type": "http://tech.ebu.ch/cpa/1.0/device_code", "domain": domain.rawValue,
            "device_code": association.deviceCode.revealed,
        ]
        return try await server.post(server.path("cpa/token"), object: identity.merging(grant) { $1 }, headers: headers)
    }

    /// A person types the code that it shows, and decides.
    func decide(_ decision: String, _ association: AssociationResponse, as person: TestPerson = .anna) async throws {
        guard case .code(let code, at: _, interval: _) = association.shape else {
            Issue.record("there is no code to type")
            return
        }
        let browser = try await server.browser(of: person)
        _ = try await browser.post("activate", ["user_code": code.rawValue])
        let answer = try await browser.post(
            "activate/decision",
            ["user_code": code.rawValue, "decision": decision]
        )
        #expect(answer.status == .seeOther)
    }

    /// The whole story: asked, approved by typing, and fetched.
    @discardableResult
    func signedIn(_ domain: TestDomain = .radio, as person: TestPerson = .anna) async throws -> AccessToken {
        let association = try await associated(domain)
        try await decide("approve", association, as: person)
        return try await poll(association, domain).token
    }
}

extension TestResponse {
    /// The token of a good answer.
    var token: AccessToken {
        get throws {
            #expect(status == .ok, "\(text)")
            return try json(CrossPlatformTokenResponse.self).accessToken
        }
    }

    /// For whom the token is; `nil` for nobody.
    var userName: String? { try? json(CrossPlatformTokenResponse.self).userName }

    /// The error of Cross-Platform Authentication that the body names; `nil` for an answer that is none.
    var refusal: CrossPlatformError.Code? {
        status.kind == .successful ? nil : try? json(CrossPlatformErrorResponse.self).error
    }
}
