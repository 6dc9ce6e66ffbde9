internal import Countersign
internal import CountersignWire
internal import HTTPTypes

extension DeviceAuthorizationResponse {
    /// The code of this answer, as the polling state machine needs it.
    var awaited: AwaitedCode {
        AwaitedCode(deviceCode, expiresIn: expiresIn, interval: interval)
    }
}

extension PollResult<TokenResponse> {
    /// Reads the answer of a token endpoint to a request about which a person decides.
    ///
    /// - Parameter problem: Returns the reason that tokens cannot be used; `nil` when they can.
    ///
    /// Standard: RFC 8628 §3.5, RFC 6749 §5. Some servers send errors with status 200; those are read too.
    init(_ answer: HTTPAnswer, problem: (TokenResponse) -> String?) {
        let status = answer.response.status
        let refusal = try? answer.decoded(OAuthErrorResponse.self)
        if let refusal, refusal.error == .slowDown {
            // Also with status 429 or 503: each of them makes the interval longer.
            self = .slowDown(retryIn: nil, retryAfter: answer.retryAfter)
        } else if let temporaryFailure = answer.temporaryFailure {
            self = .failed(temporaryFailure, retryAfter: answer.retryAfter, because: "status \(status.code)")
        } else if status == .ok, let response = try? answer.decoded(TokenResponse.self) {
            self = problem(response).map { .unreadable(because: $0) } ?? .granted(response)
        } else if status == .ok || status.kind == .clientError, let refusal {
            self = Self.refused(refusal, in: answer)
        } else {
            self = .unreadable(because: "status \(status.code) without an answer of a token endpoint")
        }
    }

    /// Sorts an error into those with a meaning for polling and all others.
    private static func refused(_ refusal: OAuthErrorResponse, in answer: HTTPAnswer) -> Self {
        let error = SignInError(refusal)
        return switch refusal.error {
        case .authorizationPending:
            .pending(
                held: answer.held,
                showing: refusal.verificationNumber.flatMap { VerificationNumber(parsing: $0.rawValue) },
                link: refusal.link.flatMap { LinkMark(parsing: $0.rawValue) }
            )
        // Microsoft's word for a refusal.
        case .accessDenied, OAuthError.Code("authorization_declined"): .denied(error)
        case .expiredToken: .expired(error)
        case .temporarilyUnavailable: .failed(.busy, retryAfter: answer.retryAfter, because: error.reason)
        case .serverError: .failed(.serverFault, retryAfter: answer.retryAfter, because: error.reason)
        default: .refused(error)
        }
    }
}

extension HTTPAnswer {
    /// The server's reported holding time of the request.
    ///
    /// Standard: RFC 7240 §3 (`Preference-Applied`).
    var held: WaitPreference? {
        HTTPField.Name("Preference-Applied").flatMap { WaitPreference(parsing: response.headerFields[values: $0]) }
    }
}
