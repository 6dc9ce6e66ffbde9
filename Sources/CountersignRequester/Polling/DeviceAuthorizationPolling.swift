internal import Countersign
public import CountersignWire
internal import HTTPTypes

/// The polling state machine with the messages of the device authorization grant.
///
/// Standard: RFC 8628 §3.4, §3.5.
public typealias DeviceAuthorizationPolling = Polling<TokenResponse, OAuthErrorResponse>

extension DeviceAuthorizationResponse {
    /// The code of this answer, as the polling state machine needs it.
    public var awaited: AwaitedCode {
        AwaitedCode(deviceCode, expiresIn: expiresIn, interval: interval)
    }
}

extension Polling.Answer where Granted == TokenResponse, Refusal == OAuthErrorResponse {
    /// Reads the answer of a token endpoint to a request with a device code.
    ///
    /// Standard: RFC 8628 §3.5, RFC 6749 §5. Some servers send errors with status 200; those are read too.
    init(_ answer: HTTPAnswer) {
        let status = answer.response.status
        if let trouble = answer.trouble {
            self = .failed(trouble, retryAfter: answer.retryAfter)
        } else if status == .ok, let response = try? answer.decoded(TokenResponse.self) {
            self = Self.granted(checking: response)
        } else if status == .ok || status.kind == .clientError, let error = try? answer.decoded(OAuthErrorResponse.self)
        {
            self = Self.refused(error, held: answer.held)
        } else {
            self = .unreadable(because: "status \(status.code) without an answer of a token endpoint")
        }
    }

    /// Accepts tokens that can be used.
    private static func granted(checking response: TokenResponse) -> Self {
        if let problem = response.problem { return .unreadable(because: problem) }
        return .granted(response)
    }

    /// Sorts an error into those with a meaning for polling and all others.
    private static func refused(_ error: OAuthErrorResponse, held: WaitPreference?) -> Self {
        switch error.error {
        case .authorizationPending: .pending(held: held)
        case .slowDown: .slowDown(retryIn: nil)
        case .accessDenied: .denied(error)
        case .expiredToken: .expired(error)
        case .temporarilyUnavailable: .failed(.busy, retryAfter: nil)
        case .serverError: .failed(.serverFault, retryAfter: nil)
        default: .refused(error)
        }
    }
}

extension TokenResponse {
    /// Why the answer cannot be used; `nil` when it can.
    var problem: String? {
        guard tokenType.lowercased() == "bearer" else { return "the token is not of type Bearer" }
        let tokens = [accessToken.revealed] + (refreshToken.map { [$0.revealed] } ?? [])
        return tokens.allSatisfy(Self.isUsable) ? nil : "a token holds characters that no token has"
    }

    /// Whether a token can be put into a header field: visible ASCII. Standard: RFC 6749 Appendix A.12, RFC 6750.
    static func isUsable(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension HTTPAnswer {
    /// How long the server says that it held the request open.
    ///
    /// Standard: RFC 7240 §3 (`Preference-Applied`).
    var held: WaitPreference? {
        HTTPField.Name("Preference-Applied").flatMap { WaitPreference(parsing: response.headerFields[values: $0]) }
    }
}
