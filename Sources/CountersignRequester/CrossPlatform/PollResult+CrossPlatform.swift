internal import Countersign
internal import CountersignWire
internal import HTTPTypes

extension AssociationResponse {
    /// The code of this answer, as the polling state machine needs it.
    var awaited: AwaitedCode {
        switch shape {
        case .code(_, at: _, let interval), .confirmation(at: _, let interval):
            AwaitedCode(deviceCode, expiresIn: expiresIn, interval: interval)
        case .automatic:
            AwaitedCode(
                deviceCode,
                expiresIn: expiresIn,
                interval: DeviceAuthorizationResponse.standardInterval,
                isAskedAtOnce: true
            )
        }
    }
}

extension PollResult where Granted: Decodable {
    /// Reads the answer of an endpoint of Cross-Platform Authentication.
    ///
    /// The body has precedence over the status, as in older clients: an error counts whatever the status is. Members
    /// that are `null` count as left out. A redirect is no answer.
    ///
    /// - Parameters:
    ///   - answer: The answer of the authorization provider.
    ///   - problem: Returns the reason that a message cannot be used; `nil` when it can.
    ///
    /// Standard: ETSI TS 103 407 §8.
    init(crossPlatform answer: HTTPAnswer, problem: (Granted) -> String? = { _ in nil }) {
        let status = answer.response.status
        let retryAfter = answer.retryAfter
        let remarks = try? answer.decoded(ProviderRemarks.self)
        let refusal = remarks?.refusal(retryAfter: retryAfter)
        // The status means "not yet", regardless of the reason in it.
        let isPending = status == .accepted && (remarks != nil || answer.body.isEmpty)
        let isSuccess = status != .accepted && status.kind == .successful
        // A gateway's answer must not cost an identity: such a status is a server failure, regardless of the body.
        if let temporaryFailure = answer.temporaryFailure, refusal?.error != .slowDown {
            let reason = refusal.map { SignInError($0).reason } ?? "status \(status.code)"
            self = .failed(temporaryFailure, retryAfter: retryAfter, because: reason)
        } else if status.kind == .successful || status.kind == .clientError, let refusal {
            self = Self.refused(refusal, retryAfter: retryAfter)
        } else if isPending || isSuccess && remarks?.reason == PendingResponse.authorizationPending.reason {
            self = .pending(held: answer.held, showing: remarks?.number, link: remarks?.link)
        } else if isSuccess, let message = try? answer.decoded(Granted.self) {
            self = problem(message).map { .unreadable(because: $0) } ?? .granted(message)
        } else {
            self = .unreadable(because: "status \(status.code) without an answer of an authorization provider")
        }
    }

    /// Sorts an error that the provider named.
    private static func refused(_ refusal: CrossPlatformErrorResponse, retryAfter: RetryAfter?) -> Self {
        let error = SignInError(refusal)
        return switch (refusal.error, error.code) {
        case (.temporarilyUnavailable, _): .failed(.busy, retryAfter: retryAfter, because: error.reason)
        case (.serverError, _): .failed(.serverFault, retryAfter: retryAfter, because: error.reason)
        case (.slowDown, _):
            .slowDown(retryIn: refusal.retryIn.map { RetryAfter(seconds: $0) }, description: refusal.description)
        case (_, .denied): .denied(error)
        case (_, .expired): .expired(error)
        default: .refused(error)
        }
    }
}

extension CrossPlatformTokenResponse {
    /// The reason that the answer cannot be used for `domain`; `nil` when it can.
    func problem(for domain: Domain) -> String? {
        guard tokenType.lowercased() == "bearer" else { return "the token is not of type bearer" }
        guard self.domain == domain else { return "the token is for another domain" }
        return TokenResponse.isUsable(accessToken.revealed) ? nil : "the token holds characters that no token has"
    }
}

/// The additional members of an answer; read from any JSON object.
private struct ProviderRemarks: Decodable {
    /// The error's word; empty when the member is not a string.
    let error: String?
    /// The error's description.
    let description: String?
    /// The pause before the next request, in seconds.
    let retryIn: Int?
    /// The reason that there is no answer yet.
    let reason: String?
    /// The number that the screen has to show.
    let number: VerificationNumber?
    /// The newest mark of the link.
    let link: LinkMark?

    enum CodingKeys: String, CodingKey {
        case error, reason
        case number = "verification_number"
        case link = "link_mark"
        case description = "error_description"
        case retryIn = "retry_in"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? { try? members.decodeIfPresent(String.self, forKey: key) }
        let exists = members.contains(.error) && (try? members.decodeNil(forKey: .error)) == false
        // An error that is no text is an error too.
        error = exists ? text(.error) ?? "" : nil
        description = text(.description)
        reason = text(.reason)
        number = text(.number).flatMap { VerificationNumber(parsing: $0) }
        link = text(.link).flatMap { LinkMark(parsing: $0) }
        let seconds =
            (try? members.decodeIfPresent(Double.self, forKey: .retryIn)) ?? text(.retryIn).flatMap(Double.init)
        retryIn = seconds.flatMap { (0..<1e9).contains($0) ? Int($0.rounded(.up)) : nil }
    }

    /// The error in the answer; with `slow_down`, the header has the retry time if the body has none.
    func refusal(retryAfter: RetryAfter?) -> CrossPlatformErrorResponse? {
        guard let error else { return nil }
        let code = CrossPlatformError.Code(error)
        let retryIn = retryIn ?? (code == .slowDown ? retryAfter?.seconds : nil)
        return CrossPlatformErrorResponse(
            CrossPlatformError(code, description, retryIn: retryIn, because: "the provider said so"))
    }
}

extension SignInError {
    /// Maps an error that an authorization provider named.
    ///
    /// Standard: ETSI TS 103 407 §8. Older providers say `access_denied` for `cancelled`.
    init(_ refusal: CrossPlatformErrorResponse) {
        let meaning: Code =
            switch refusal.error {
            case .cancelled, CrossPlatformError.Code("access_denied"): .denied
            case .expired: .expired
            case .invalidClient: .clientRefused
            case .slowDown: .tooFast
            default: .refused
            }
        self.init(meaning, providerCode: refusal.error.rawValue, providerDescription: refusal.description)
    }

    /// Whether the provider does not know this device, or has removed it.
    var isUnknownClient: Bool {
        code == .clientRefused && providerCode == CrossPlatformError.Code.invalidClient.rawValue
    }
}
