import Countersign
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

extension TestServer {
    /// The provider's own app, where `person` is signed in. (One of the ``TestApps`` is called a phone.)
    func providersApp(of person: TestPerson = .anna, scope: String = "nearby_approve") async throws -> TestPhone {
        try await phone(of: person, scope: scope, signedInto: ClientID("providers-app"))
    }
}

/// The provider's own app, which the system opens with the requests of other apps.
extension TestPhone {
    /// A request as the phone was shown it.
    struct Looked: Sendable {
        let look: AuthorizationLook
        /// The answer as it came.
        let bytes: [UInt8]
        let parameters: String
    }

    func look(at parameters: String) async throws -> TestResponse {
        let form = AuthorizationLookRequest(parameters: parameters).form
        return try await server.post(server.path("authorization/look"), form, headers: headers)
    }

    /// The server's answer on what the phone may do about a request.
    func told(_ parameters: String) async throws -> AuthorizationLookResponse {
        let answer = try await look(at: parameters)
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(AuthorizationLookResponse.self)
    }

    func looked(at parameters: String) async throws -> Looked {
        let answer = try await look(at: parameters)
        guard case .decide(let look) = try answer.json(AuthorizationLookResponse.self) else {
            throw NothingToDecide(answer: answer.text)
        }
        return Looked(look: look, bytes: Array(answer.body.readableBytesView), parameters: parameters)
    }

    func looked(at app: TestApps) async throws -> Looked {
        try await looked(at: app.request.form.encoded)
    }

    struct NothingToDecide: Error {
        let answer: String
    }

    /// The claims that it would sign about a request that it was shown.
    func claims(
        on looked: Looked,
        _ answer: AuthorizationDecisionClaims.Answer = .remember
    ) -> AuthorizationDecisionClaims {
        AuthorizationDecisionClaims(
            answer,
            on: looked.look,
            answered: looked.bytes,
            to: looked.parameters,
            audience: server.issuer.text,
            issued: server.clock.date.numericDate,
            id: "a decision"
        )
    }

    func signed(_ claims: AuthorizationDecisionClaims) throws -> String {
        try UnverifiedAuthorizationDecision.text(of: claims, by: try publicKey) { bytes in
            Array(try key.signature(for: bytes).rawRepresentation)
        }
    }

    func send(_ decision: String, on parameters: String) async throws -> TestResponse {
        let form = AuthorizationDecideRequest.form(with: decision, on: parameters)
        return try await server.post(server.path("authorization/decide"), form, headers: headers)
    }

    func send(_ claims: AuthorizationDecisionClaims, on parameters: String) async throws -> TestResponse {
        try await send(try signed(claims), on: parameters)
    }

    /// Looks and decides.
    @discardableResult
    func decide(
        _ answer: AuthorizationDecisionClaims.Answer,
        _ parameters: String
    ) async throws -> TestResponse {
        let looked = try await looked(at: parameters)
        return try await send(claims(on: looked, answer), on: parameters)
    }
}

extension TestResponse {
    /// The confirmation of a decision.
    var confirmation: AuthorizationDecideResponse {
        get throws { try json(AuthorizationDecideResponse.self) }
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
