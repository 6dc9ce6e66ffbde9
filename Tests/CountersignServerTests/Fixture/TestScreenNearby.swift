import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A screen that asks phones nearby.
struct TestScreenNearby: Sendable {
    let server: TestServer
    let client: TestClients
    let codes: DeviceAuthorizationResponse
    let verifier: NearbyVerifier
    let link: NearbyLinkID

    func poll(over links: NearbyLinkID?..., prefer: String? = nil) async throws -> TestResponse {
        try await poll(naming: NearbyLinks(links.compactMap(\.self)).description, prefer: prefer)
    }

    func poll(naming links: String, prefer: String? = nil) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.prefer] = prefer
        var form = try TokenRequest.deviceCode(codes.deviceCode).form.with(client.form)
        form["nearby_link"] = links
        return try await server.post(server.path("token"), form, headers: headers)
    }
}

extension TestServer {
    static let phoneApp = ClientID("phone")

    /// A link of some number.
    static func link(_ number: UInt8) -> NearbyLinkID {
        NearbyLinkID([UInt8](repeating: number, count: 32))!
    }

    /// The phone of `person`, whose app they signed in.
    func phone(
        of person: TestPerson = .anna,
        scope: String = "nearby_approve",
        at address: String? = nil,
        signedInto app: ClientID = phoneApp
    ) async throws -> TestApprover {
        let created = clock.date
        try await change { repositories in
            guard try repositories.clients.find(app) == nil else { return }
            try repositories.clients.insert(
                Client(
                    id: app,
                    name: "The phone",
                    kind: .public,
                    grantTypes: [.deviceCode, .refreshToken],
                    scope: Scope([.openid, .nearbyApprove]),
                    tokenFormat: .opaque,
                    created: created
                )
            )
        }
        let client: Form = ["client_id": app.rawValue]
        let asked = try await post(path("device_authorization"), client.with(["scope": scope]))
        let codes = try asked.json(DeviceAuthorizationResponse.self)
        try await browser(of: person).decide("approve", codes)
        let tokens = try await post(path("token"), TokenRequest.deviceCode(codes.deviceCode).form.with(client))
        return TestApprover(server: self, token: try tokens.json(TokenResponse.self).accessToken, address: address)
    }

    /// The provider's own app, where `person` is signed in. (One of the ``TestApps`` is called a phone.)
    func providersApp(of person: TestPerson = .anna, scope: String = "nearby_approve") async throws -> TestApprover {
        try await phone(of: person, scope: scope, signedInto: ClientID("providers-app"))
    }

    /// A screen that asks, and is linked with a phone.
    func screenNearby(
        as client: TestClients = .tv,
        scope: String? = nil,
        from address: String? = nil,
        preferring preference: String? = nil,
        over link: UInt8 = 7
    ) async throws -> TestScreenNearby {
        let verifier = NearbyVerifier(drawingFrom: .system)
        var form = client.form
        form["scope"] = scope
        form["nearby_challenge"] = verifier.challenge.description
        var headers: HTTPFields = [:]
        headers[.xForwardedFor] = address
        headers[.prefer] = preference
        let answer = try await post(path("device_authorization"), form, headers: headers)
        return TestScreenNearby(
            server: self,
            client: client,
            codes: try answer.json(DeviceAuthorizationResponse.self),
            verifier: verifier,
            link: Self.link(link)
        )
    }

    /// The audited facts of one act, the latest last.
    func audited(_ act: AuditAct) async throws -> [AuditEntry.Facts] {
        try await store.read { repositories in
            try repositories.audit.entries(after: 0, limit: 1_000).map(\.facts).filter { $0.act == act }
        }
    }

    /// The exchange behind the codes of a screen.
    func exchange(of screen: TestScreenNearby) async throws -> SignInExchange? {
        let digest = screen.codes.deviceCode.digest
        return try await store.read { try $0.exchanges.find(digest)?.exchange }
    }
}
