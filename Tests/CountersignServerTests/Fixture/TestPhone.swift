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

/// An app on somebody's phone that may approve what is asked nearby.
struct TestPhone: Sendable {
    let server: TestServer
    let token: AccessToken
    var key = P256.Signing.PrivateKey()
    /// From where it asks; `nil` for where everybody is in these tests.
    var address: String?

    var publicKey: ApproverKey {
        get throws { try #require(ApproverKey(rawRepresentation: key.publicKey.rawRepresentation)) }
    }

    /// A request as the phone was shown it.
    struct Shown: Sendable {
        let response: NearbyLookResponse
        let digest: ShownDigest
    }

    var headers: HTTPFields {
        var headers: HTTPFields = [.authorization: BearerHeader.value(for: token)]
        headers[.xForwardedFor] = address
        return headers
    }

    func look(at screen: TestScreenNearby, showing verifier: NearbyVerifier? = nil) async throws -> TestResponse {
        let asked = NearbyLookRequest(
            userCode: screen.codes.userCode,
            verifier: verifier ?? screen.verifier
        )
        return try await server.post(server.path("nearby/look"), asked.form, headers: headers)
    }

    func shown(_ screen: TestScreenNearby) async throws -> Shown {
        let answer = try await look(at: screen)
        #expect(answer.status == .ok, "\(answer.text)")
        return Shown(
            response: try answer.json(NearbyLookResponse.self),
            digest: ShownDigest(of: Array(answer.body.readableBytesView))
        )
    }

    /// The claims that it would sign about a request that it was shown.
    func claims(
        on shown: Shown,
        _ answer: NearbyDecisionClaims.Answer = .approve,
        over link: NearbyLinkID,
        proof: NearbyDecisionClaims.Proof = .code
    ) -> NearbyDecisionClaims {
        NearbyDecisionClaims(
            audience: server.issuer.text,
            exchange: shown.response.exchange,
            nonce: shown.response.nonce,
            answer: answer,
            shown: shown.digest,
            link: link,
            proof: proof,
            issued: server.clock.date.numericDate,
            id: "a decision"
        )
    }

    func signed(_ claims: NearbyDecisionClaims) throws -> String {
        try UnverifiedNearbyDecision.text(of: claims, by: try publicKey) { bytes in
            Array(try key.signature(for: bytes).rawRepresentation)
        }
    }

    /// A JWS of any header and payload.
    func signed(header: String, payload: String) throws -> String {
        try CompactJWS.text(header: Array(header.utf8), payload: Array(payload.utf8)) { bytes in
            Array(try key.signature(for: bytes).rawRepresentation)
        }
    }

    func send(_ decision: String) async throws -> TestResponse {
        try await server.post(
            server.path("nearby/decide"), UnverifiedNearbyDecision.form(with: decision), headers: headers)
    }

    func send(_ claims: NearbyDecisionClaims) async throws -> TestResponse {
        try await send(try signed(claims))
    }

    /// Looks, and decides over the screen's link.
    @discardableResult
    func decide(
        _ answer: NearbyDecisionClaims.Answer,
        _ screen: TestScreenNearby,
        proof: NearbyDecisionClaims.Proof = .code
    ) async throws -> TestResponse {
        try await send(claims(on: try await shown(screen), answer, over: screen.link, proof: proof))
    }
}

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
    ) async throws -> TestPhone {
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
        return TestPhone(server: self, token: try tokens.json(TokenResponse.self).accessToken, address: address)
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
