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

/// An app on somebody's phone that may approve: what is asked nearby, what other apps ask, and what is in its inbox.
struct TestApprover: Sendable {
    let server: TestServer
    let token: AccessToken
    var key = P256.Signing.PrivateKey()
    /// From where it asks; `nil` for where everybody is in these tests.
    var address: String?

    var publicKey: ApproverKey {
        get throws { try #require(ApproverKey(rawRepresentation: key.publicKey.rawRepresentation)) }
    }

    /// A request as the app was shown it.
    struct Shown<Details: LookDetails>: Sendable {
        let response: ApproverLook<Details>
        let digest: AnswerDigest
        /// The parameters of an authorization request.
        var parameters: String?
    }

    struct NothingToDecide: Error {
        let answer: String
    }

    var headers: HTTPFields {
        var headers: HTTPFields = [.authorization: BearerHeader.value(for: token)]
        headers[.xForwardedFor] = address
        return headers
    }

    func look(_ asked: ApproverLookRequest) async throws -> TestResponse {
        try await server.post(server.path("approver/look"), asked.form, headers: headers)
    }

    /// Reads what it was shown.
    func shown<Details>(_ answer: TestResponse, _ parameters: String? = nil) throws -> Shown<Details> {
        #expect(answer.status == .ok, "\(answer.text)")
        guard case .decide(let look) = try answer.json(ApproverLookResponse<Details>.self) else {
            throw NothingToDecide(answer: answer.text)
        }
        return Shown(
            response: look, digest: AnswerDigest(of: Array(answer.body.readableBytesView)), parameters: parameters)
    }

    /// The claims that it would sign about a request that it was shown.
    func claims<Details>(
        _ answer: DecisionClaims.Answer,
        by finding: DecisionClaims.Finding,
        on shown: Shown<Details>
    ) -> DecisionClaims {
        DecisionClaims(
            answer,
            by: finding,
            on: shown.response,
            shown: shown.digest,
            audience: server.issuer.text,
            issued: server.clock.date.numericDate,
            id: "a decision"
        )
    }

    func signed(_ claims: DecisionClaims) throws -> String {
        try UnverifiedDecision.text(of: claims, by: try publicKey) { bytes in
            Array(try key.signature(for: bytes).rawRepresentation)
        }
    }

    /// A JWS of any header and payload.
    func signed(header: String, payload: String) throws -> String {
        try CompactJWS.text(header: Array(header.utf8), payload: Array(payload.utf8)) { bytes in
            Array(try key.signature(for: bytes).rawRepresentation)
        }
    }

    func send(_ decision: String, on parameters: String? = nil) async throws -> TestResponse {
        let form = ApproverDecideRequest.form(with: decision, on: parameters)
        return try await server.post(server.path("approver/decide"), form, headers: headers)
    }

    func send(_ claims: DecisionClaims, on parameters: String? = nil) async throws -> TestResponse {
        try await send(try signed(claims), on: parameters)
    }
}

// MARK: Screens nearby

extension TestApprover {
    func look(at screen: TestScreenNearby, showing verifier: NearbyVerifier? = nil) async throws -> TestResponse {
        try await look(.nearby(screen.codes.userCode, verifier ?? screen.verifier))
    }

    func shown(_ screen: TestScreenNearby) async throws -> Shown<NearbyLook> { try shown(try await look(at: screen)) }

    func claims(
        on shown: Shown<NearbyLook>,
        _ answer: DecisionClaims.Answer = .approve,
        over link: NearbyLinkID,
        proof: NearbyFinding.Proof = .code
    ) -> DecisionClaims {
        claims(answer, by: .nearby(NearbyFinding(link: link, proof: proof)), on: shown)
    }

    /// Looks, and decides over the screen's link.
    @discardableResult
    func decide(
        _ answer: DecisionClaims.Answer,
        _ screen: TestScreenNearby,
        proof: NearbyFinding.Proof = .code
    ) async throws -> TestResponse {
        try await send(claims(on: try await shown(screen), answer, over: screen.link, proof: proof))
    }
}

// MARK: Authorization requests of other apps

/// The provider's own app, which the system opens with the requests of other apps.
extension TestApprover {
    func look(at parameters: String) async throws -> TestResponse {
        try await look(.authorization(parameters: parameters))
    }

    /// The server's answer on what the app may do about a request.
    func told(_ parameters: String) async throws -> ApproverLookResponse<AuthorizationLook> {
        let answer = try await look(at: parameters)
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(ApproverLookResponse<AuthorizationLook>.self)
    }

    func looked(at parameters: String) async throws -> Shown<AuthorizationLook> {
        try shown(try await look(at: parameters), parameters)
    }

    func looked(at app: TestApps) async throws -> Shown<AuthorizationLook> {
        try await looked(at: app.request.form.encoded)
    }

    func claims(on shown: Shown<AuthorizationLook>, _ answer: DecisionClaims.Answer = .remember) -> DecisionClaims {
        let finding = AuthorizationFinding(shown.response, to: shown.parameters ?? "")
        return claims(answer, by: .authorization(finding), on: shown)
    }

    /// Looks and decides.
    @discardableResult
    func decide(_ answer: DecisionClaims.Answer, _ parameters: String) async throws -> TestResponse {
        let looked = try await looked(at: parameters)
        return try await send(claims(on: looked, answer), on: parameters)
    }
}

extension DecisionClaims {
    /// The statement about the link, to be changed.
    var nearby: NearbyFinding {
        get { if case .nearby(let finding) = finding { finding } else { preconditionFailure() } }
        set { finding = .nearby(newValue) }
    }

    /// The statement about the authorization request, to be changed.
    var authorization: AuthorizationFinding {
        get { if case .authorization(let finding) = finding { finding } else { preconditionFailure() } }
        set { finding = .authorization(newValue) }
    }

    /// The statement about a request of the inbox, to be changed.
    var inbox: InboxFinding {
        get { if case .inbox(let finding) = finding { finding } else { preconditionFailure() } }
        set { finding = .inbox(newValue) }
    }
}

extension TestResponse {
    /// The confirmation of a decision.
    var confirmation: ApproverDecideResponse {
        get throws { try json(ApproverDecideResponse.self) }
    }
}

extension AuthorizationAnswerAddress {
    /// The answer that the address brings.
    var response: AuthorizationResponse? {
        guard let mark = revealed.lastIndex(of: "?") else { return nil }
        let query = revealed[revealed.index(after: mark)...]
        return (try? Form(parsing: Array(query.utf8))).flatMap { try? AuthorizationResponse(form: $0) }
    }
}
