internal import Countersign
public import CountersignWire

/// The polling state machine with the messages of Cross-Platform Authentication.
///
/// Standard: ETSI TS 103 407 §8.4.1.2.
public typealias CrossPlatformPolling = Polling<CrossPlatformTokenResponse, CrossPlatformErrorResponse>

extension AssociationResponse {
    /// The code of this answer, as the polling state machine needs it.
    public var awaited: AwaitedCode {
        switch shape {
        case .code(_, at: _, let interval), .confirmation(at: _, let interval):
            AwaitedCode(deviceCode, expiresIn: expiresIn, interval: interval)
        case .automatic:
            AwaitedCode(
                deviceCode,
                expiresIn: expiresIn,
                interval: DeviceAuthorizationResponse.standardInterval,
                isDecided: true
            )
        }
    }
}

extension Polling.Answer where Granted == CrossPlatformTokenResponse, Refusal == CrossPlatformErrorResponse {
    /// Reads the answer of `/token` to a request with a device code for `domain`.
    init(_ answer: HTTPAnswer, for domain: Domain) {
        switch answer.read(CrossPlatformTokenResponse.self) {
        case .message(let response):
            self = response.problem(for: domain).map { .unreadable(because: $0) } ?? .granted(response)
        case .pending(let number, let link):
            self = .pending(held: answer.held, showing: number, link: link)
        case .failed(let temporaryFailure, let retryAfter, because: _):
            self = .failed(temporaryFailure, retryAfter: retryAfter)
        case .unreadable(let reason):
            self = .unreadable(because: reason)
        case .refused(let refusal):
            self = Self.refusal(refusal)
        }
    }

    /// The answer for an error that the provider named.
    private static func refusal(_ refusal: CrossPlatformErrorResponse) -> Self {
        switch SignInError(refusal).code {
        case .denied: .denied(refusal)
        case .expired: .expired(refusal)
        case .tooFast: .slowDown(retryIn: refusal.retryIn.map { RetryAfter(seconds: $0) })
        default: .refused(refusal)
        }
    }
}

extension SignInError {
    /// Maps the end of polling without a token to an error.
    ///
    /// A device code works once. When the provider does not know it after an answer was lost, that answer may have
    /// redeemed it.
    init(_ ending: CrossPlatformPolling.Ending, afterLostAnswer: Bool) {
        switch ending {
        case .refused(let refusal) where afterLostAnswer && refusal.error == .invalidRequest:
            self.init(
                .answerLost,
                providerCode: refusal.error.rawValue,
                providerDescription: refusal.description
            )
        case .denied(let refusal), .expired(let refusal), .refused(let refusal): self.init(refusal)
        case .unreadable(let reason): self.init(.badAnswer, because: reason)
        }
    }
}

extension CrossPlatformTokenResponse {
    /// Why the answer cannot be used for `domain`; `nil` when it can.
    func problem(for domain: Domain) -> String? {
        guard tokenType.lowercased() == "bearer" else { return "the token is not of type bearer" }
        guard self.domain == domain else { return "the token is for another domain" }
        return TokenResponse.isUsable(accessToken.revealed) ? nil : "the token holds characters that no token has"
    }
}
