internal import Countersign
internal import CountersignTransport
internal import CountersignServer
internal import CountersignWire
internal import Crypto
internal import Foundation
internal import HTTPTypes

/// The customer's server and the people's devices, as the server under test meets them.
struct AuthenticatorParties: Sendable {
    let port: Int
    let data: AuthenticatorDataset
    private let transport: any HTTPTransport = SystemTransport.make()

    init(port: Int, data: AuthenticatorDataset) {
        self.port = port
        self.data = data
    }

    private var issuer: String { "http://127.0.0.1:\(port)" }

    // MARK: The customer's server

    /// Opens a request for a person; returns its identifier and the number to match, if there is one.
    func open(_ kind: AuthenticationRequest.Kind, for place: Int) async throws -> (id: String, number: String?) {
        let body = """
            {"environment_id":"\(data.environment.id)","expiry":3600,"message_type":"push",\
            "to":"\(AuthenticatorDataset.number(place))"}
            """
        let token = EnvironmentToken.text(by: data.secret, body: Array(body.utf8), at: .now)
        let answer = try await send(.post, "/auth/v1.0/\(kind.rawValue)", body, by: token)
        let request = try JSONDecoder().decode(AuthenticationRequest.self, from: Data(answer))
        return (request.id.rawValue, request.number)
    }

    /// Checks the one-time password of a request; returns whether it was accepted.
    func check(_ password: String, of id: String) async throws -> Bool {
        let body = "{\"pin\":\"\(password)\"}"
        let token = EnvironmentToken.text(by: data.secret, request: id, body: Array(body.utf8), at: .now)
        let answer = try await send(.put, "/auth/v1.0/otp/\(id)", body, by: token)
        return String(decoding: answer, as: UTF8.self).contains("\"approved\"")
    }

    /// The request by which the customer's server waits for a decision, as text.
    func waiting(for id: String) -> String {
        let token = EnvironmentToken.text(by: data.secret, request: id, at: .now)
        return """
            GET /auth/v1.0/instant/\(id) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nPrefer: wait=60\r\n\
            Authorization: Bearer \(token)\r\n\r\n
            """
    }

    // MARK: A device

    /// What a device was shown of a request.
    struct Shown: Sendable {
        let look: AuthenticatorLookResponse
        let digest: ShownDigest
    }

    /// A device looks at a request.
    func look(_ id: String, at place: Int) async throws -> Shown {
        let answer = try await send(
            .post, "/authenticator/look", "request=\(id)", by: AuthenticatorDataset.accessToken(place), asForm: true)
        return Shown(
            look: try JSONDecoder().decode(AuthenticatorLookResponse.self, from: Data(answer)),
            digest: ShownDigest(of: answer)
        )
    }

    /// What a device sends to approve what it was shown.
    func approval(of shown: Shown, number: String?) throws -> String {
        let claims = AuthenticatorDecisionClaims(
            audience: issuer, exchange: shown.look.exchange, nonce: shown.look.nonce, answer: .approve,
            shown: shown.digest, number: number, reason: nil, issued: Int(Date.now.timeIntervalSince1970),
            id: UUID().uuidString)
        guard let key = ApproverKey(rawRepresentation: data.key.publicKey.rawRepresentation) else {
            throw BenchmarkFailure("the key of the devices is none")
        }
        let text = try UnverifiedAuthenticatorDecision.text(of: claims, by: key) { bytes in
            Array(try data.key.signature(for: bytes).rawRepresentation)
        }
        return UnverifiedAuthenticatorDecision.form(with: text).encoded
    }

    /// A device sends its decision.
    func decide(_ form: String, at place: Int) async throws {
        _ = try await send(
            .post, "/authenticator/decide", form, by: AuthenticatorDataset.accessToken(place), asForm: true)
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String,
        by token: String,
        asForm: Bool = false
    ) async throws -> [UInt8] {
        var request = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:\(port)", path: path)
        request.headerFields[.authorization] = "Bearer \(token)"
        request.headerFields[.contentType] = asForm ? "application/x-www-form-urlencoded" : "application/json"
        let answer = try await transport.send(request, body: Array(body.utf8), within: .seconds(60))
        guard answer.response.status.kind == .successful else {
            throw BenchmarkFailure(
                "\(path): \(answer.response.status) \(String(decoding: answer.body.prefix(300), as: UTF8.self))")
        }
        return answer.body
    }
}
