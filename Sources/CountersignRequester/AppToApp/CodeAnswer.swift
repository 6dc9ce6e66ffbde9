internal import Countersign
internal import CountersignWire
internal import HTTPTypes

/// The answer of a token endpoint to a code, as far as it can be understood.
enum CodeAnswer: Sendable, Equatable {
    case tokens(TokenResponse)
    case refused(OAuthError)
    /// The server is busy and did nothing: the same request may be repeated.
    case busy(RetryAfter?, because: String)
    /// The server failed; it may have redeemed the code.
    case fault(because: String)
    /// Nothing of this can be understood.
    case unreadable(because: String)

    /// Reads an answer. An error in JSON counts whatever the status; a page in HTML never does.
    ///
    /// - Parameters:
    ///   - lenient: Whether an answer may have a token and nothing else.
    ///   - problem: Says why tokens cannot be used; `nil` when they can.
    ///
    /// Standard: RFC 6749 §5.1, §5.2.
    init(_ answer: HTTPAnswer, lenient: Bool, problem: (TokenResponse) -> String?) {
        let status = answer.response.status.code
        if let refusal = try? answer.decoded(OAuthErrorResponse.self) {
            let error = OAuthError(saying: refusal.error.rawValue, refusal.description)
            switch refusal.error {
            case .temporarilyUnavailable, .slowDown: self = .busy(answer.retryAfter, because: error.reason)
            case .serverError: self = .fault(because: error.reason)
            default: self = .refused(error)
            }
            return
        }
        switch answer.temporaryFailure {
        case .busy: self = .busy(answer.retryAfter, because: "status \(status)")
        case .notReachable, .notTrusted, .interrupted, .serverFault: self = .fault(because: "status \(status)")
        case nil: self = Self.tokens(in: answer, lenient: lenient, problem: problem)
        }
    }

    private static func tokens(
        in answer: HTTPAnswer,
        lenient: Bool,
        problem: (TokenResponse) -> String?
    ) -> CodeAnswer {
        guard answer.response.status == .ok else {
            return .unreadable(because: "status \(answer.response.status.code)")
        }
        do throws(Unreadable) {
            let response = try response(in: answer, lenient: lenient)
            if let problem = problem(response) { return .unreadable(because: problem) }
            return .tokens(response)
        } catch {
            return .unreadable(because: error.reason)
        }
    }

    /// A whole answer, or a token and nothing else where that is enough.
    private static func response(in answer: HTTPAnswer, lenient: Bool) throws(Unreadable) -> TokenResponse {
        do throws(Unreadable) {
            return try answer.decoded(TokenResponse.self)
        } catch {
            guard lenient, let bare = try? answer.decoded(BareToken.self) else { throw error }
            return TokenResponse(accessToken: AccessToken(revealing: bare.accessToken), expiresIn: nil)
        }
    }

    /// The answer of a provider that says nothing but the token.
    private struct BareToken: Decodable {
        let accessToken: String

        private enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
        }
    }
}
