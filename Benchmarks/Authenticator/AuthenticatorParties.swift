internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Crypto
internal import Foundation

/// The customer's server and the people's devices, as the server under test meets them.
struct AuthenticatorParties: Sendable {
    let port: Int
    let data: AuthenticatorDataset

    private var issuer: String { "http://127.0.0.1:\(port)" }

    // MARK: The customer's server

    /// The request that opens one for a person.
    func opening(_ kind: AuthenticationRequest.Kind, for place: Int) -> String {
        let body = """
            {"environment_id":"\(data.environment.id)","expiry":3600,"message_type":"push",\
            "to":"\(AuthenticatorDataset.number(place))"}
            """
        let token = CustomerSiteToken.text(by: data.secret, body: Array(body.utf8), at: .now)
        return request("POST", "/auth/v1.0/\(kind.rawValue)", body, by: token)
    }

    /// The identifier of a request that was opened, and the number to match, if there is one.
    func opened(_ answer: [UInt8]) throws -> (id: String, number: String?) {
        let request = try JSONDecoder().decode(AuthenticationRequest.self, from: Data(answer))
        return (request.id.rawValue, request.number)
    }

    /// The request that checks the one-time password of a request.
    func check(_ password: String, of id: String) -> String {
        let body = "{\"pin\":\"\(password)\"}"
        let token = CustomerSiteToken.text(by: data.secret, request: id, body: Array(body.utf8), at: .now)
        return request("PUT", "/auth/v1.0/otp/\(id)", body, by: token)
    }

    /// Whether a password was accepted.
    func isAccepted(_ answer: [UInt8]) -> Bool { String(decoding: answer, as: UTF8.self).contains("\"approved\"") }

    /// The customer's server's request that waits for a decision, as text.
    func waiting(for id: String) -> String {
        let token = CustomerSiteToken.text(by: data.secret, request: id, at: .now)
        return """
            GET /auth/v1.0/instant/\(id) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nPrefer: wait=60\r\n\
            Authorization: Bearer \(token)\r\n\r\n
            """
    }

    // MARK: A device

    /// A request as it was shown to a device.
    struct Shown: Sendable {
        let look: ApproverLook<InboxLook>
        let digest: AnswerDigest
    }

    /// The HTTP request of a device that looks at a sign-in request, as text.
    func look(_ id: String, at place: Int) -> String {
        request(
            "POST", "/approver/look", "method=inbox&request=\(id)",
            by: AuthenticatorDataset.accessToken(place).revealed, asForm: true)
    }

    /// Reads the request that a device was shown from an answer.
    func shown(_ answer: [UInt8]) throws -> Shown {
        let response = try JSONDecoder().decode(ApproverLookResponse<InboxLook>.self, from: Data(answer))
        guard case .decide(let look) = response else { throw BenchmarkFailure("there is nothing to decide") }
        return Shown(look: look, digest: AnswerDigest(of: answer))
    }

    /// The form that a device sends to approve the request that it was shown.
    func approval(of shown: Shown, number: String?) throws -> String {
        let claims = DecisionClaims(
            .approve, by: .inbox(InboxFinding(number: number)), on: shown.look, shown: shown.digest,
            audience: issuer, issued: Int(Date.now.timeIntervalSince1970), id: UUID().uuidString)
        guard let key = ApproverKey(rawRepresentation: data.key.publicKey.rawRepresentation) else {
            throw BenchmarkFailure("the key of the devices is none")
        }
        let text = try UnverifiedDecision.text(of: claims, by: key) { bytes in
            Array(try data.key.signature(for: bytes).rawRepresentation)
        }
        return ApproverDecideRequest.form(with: text).encoded
    }

    /// The HTTP request of a device that decides, as text.
    func decision(_ form: String, at place: Int) -> String {
        request(
            "POST", "/approver/decide", form, by: AuthenticatorDataset.accessToken(place).revealed, asForm: true)
    }

    private func request(
        _ method: String,
        _ path: String,
        _ body: String,
        by token: String,
        asForm: Bool = false
    ) -> String {
        """
        \(method) \(path) HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Authorization: Bearer \(token)\r
        Content-Type: \(asForm ? "application/x-www-form-urlencoded" : "application/json")\r
        Content-Length: \(body.utf8.count)\r
        \r
        \(body)
        """
    }
}
