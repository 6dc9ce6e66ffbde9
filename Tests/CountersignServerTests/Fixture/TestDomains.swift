import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// The services that tests may add, with the redirect URIs of their apps.
enum TestDomains: String, Sendable, CaseIterable {
    case radio = "radio.example"
    case news = "news.example:8443"

    static let callback = "http://127.0.0.1:9090/done?a=1"
    static let appCallback = "org.example.radio:/done"

    var name: Domain { Domain(rawValue) }

    func record(created: Date) -> ServiceDomain {
        ServiceDomain(
            name: name,
            displayName: self == .radio ? "Radio <Ö>" : "The news",
            credential: SecretDigest(of: rawValue),
            redirectURIs: self == .radio ? [Self.callback, Self.appCallback, "https://radio.example/;a,b"] : [],
            created: created
        )
    }
}

/// A request of a device, and the codes that only the device and its person know.
struct TestAssociation: Sendable {
    let id: SignInRequest.ID
    let device: ClientID
    let deviceCode: DeviceCode
    let userCode: UserCode
}

extension TestServer {
    /// Adds the services.
    func addDomains() async throws {
        let created = clock.date
        try await change { repositories in
            for domain in TestDomains.allCases { try repositories.domains.insert(domain.record(created: created)) }
        }
    }

    /// A device that has registered itself, called so by itself.
    func addDevice(_ id: String = "4711", calling itself: String = "Kitchen <b>Radio</b>") async throws -> ClientID {
        let created = clock.date
        let device = Client(
            id: ClientID(id),
            registration: .device(ClientSoftware(id: "org.example.radio", version: "1"), expires: created + 86_400),
            name: itself,
            kind: .confidential(SecretDigest(of: id)),
            grantTypes: [.crossPlatformDeviceCode, .crossPlatformClientCredentials],
            scope: .none,
            tokenFormat: .opaque,
            created: created
        )
        try await change { try $0.clients.insert(device) }
        return device.id
    }

    /// A device’s request for a domain, with a code or addressed to a person.
    func associate(
        _ device: ClientID,
        for domain: TestDomains = .radio,
        addressedTo person: TestPerson? = nil,
        lifetime: TimeInterval = 300
    ) async throws -> TestAssociation {
        let mint = CodeMint(drawingFrom: .system)
        let association = TestAssociation(
            id: mint.identifier(),
            device: device,
            deviceCode: mint.secret(),
            userCode: mint.userCode()
        )
        let request = SignInRequest(
            id: association.id,
            client: .verified(device),
            scope: .verified(.none),
            domain: .verified(domain.name),
            addressee: person?.subject,
            address: .observed("192.0.2.1"),
            software: .asserted("org.example.radio 1"),
            asked: .observed(clock.date),
            deadline: clock.date + lifetime
        )
        let keys = try await KeyRing(store: store, mint: mint, clock: serverClock).current()
        let stored = SignInExchangeRecord(
            exchange: SignInExchange(request: request),
            requestCode: association.deviceCode.digest,
            method: person == nil ? .deviceCode(keys.digest(of: association.userCode)) : .singleSignOn,
            interval: 5
        )
        try await change { try $0.exchanges.insert(stored) }
        return association
    }

    func exchange(_ association: TestAssociation) async throws -> SignInExchange {
        try #require(try await store.read { try $0.exchanges.find(association.id) }).exchange
    }

    /// Redeems an approved request for its device: a sign-in with a token.
    @discardableResult
    func redeem(_ association: TestAssociation) async throws -> (record: SignInRecord, token: AccessToken) {
        let now = clock.date
        let token: AccessToken = CodeMint(drawingFrom: .system).secret()
        let record = try await store.change { repositories -> SignInRecord? in
            guard var stored = try repositories.exchanges.find(association.id),
                case .granted(let grant) = stored.exchange.redeem(at: now)
            else { return nil }
            try repositories.exchanges.update(stored)
            let record = SignInRecord(
                grant: grant, request: stored.exchange.request, signedIn: now, lastUsed: now, ends: now + 3600
            )
            try repositories.signIns.insert(record)
            try repositories.accessTokens.insert(
                AccessTokenRecord(
                    token: token.digest,
                    id: TokenID(association.id.rawValue),
                    client: association.device,
                    subject: grant.subject,
                    grant: grant.id,
                    scope: .none,
                    audience: stored.exchange.request.domain?.value.rawValue ?? "",
                    issued: now,
                    expires: now + 3600
                )
            )
            return record
        }
        return (try #require(record), token)
    }

    /// A device that `person` has signed in for a domain, by its code.
    @discardableResult
    func signedIn(
        _ device: ClientID,
        for domain: TestDomains = .radio,
        as person: TestPerson = .anna
    ) async throws -> (record: SignInRecord, token: AccessToken) {
        let association = try await associate(device, for: domain)
        let browser = try await browser(of: person)
        _ = try await browser.post("activate", ["user_code": association.userCode.description])
        _ = try await browser.answer("approve", ["user_code": association.userCode.description])
        return try await redeem(association)
    }

    /// Gives a person a role, by default that of an operator.
    func promote(_ person: TestPerson, to role: PersonRole = .operator) async throws {
        try await change { repositories in
            var record = try #require(try repositories.people.find(person.subject))
            record.role = role
            try repositories.people.update(record)
        }
    }
}

extension TestBrowser {
    /// Answers a request that is named so.
    func answer(_ decision: String, _ named: Form) async throws -> TestResponse {
        try await post("activate/decision", named.with(["decision": decision]))
    }
}
