internal import Countersign
internal import CountersignWire
internal import HTTPTypes

/// The answer of an authorization provider, sorted by what it means.
enum ProviderAnswer<Message: Sendable>: Sendable {
    /// The message that was requested.
    case message(Message)
    /// The person has not decided yet; the screen has to show this number, if any, and a link with this mark.
    case pending(VerificationNumber?, link: LinkMark?)
    /// The provider refused, with an error that is final or `slow_down`.
    case refused(CrossPlatformErrorResponse)
    /// No usable answer; the next attempt may succeed.
    case failed(TemporaryFailure, retryAfter: RetryAfter?, because: String)
    /// The answer is not one of an authorization provider.
    case unreadable(because: String)
}

extension HTTPAnswer {
    /// Reads the answer of an endpoint of Cross-Platform Authentication.
    ///
    /// The body has precedence over the status, as in older clients: an error counts whatever the status is. Members
    /// that are `null` count as left out. A redirect is no answer.
    /// Standard: ETSI TS 103 407 §8.
    func read<Message: Decodable & Sendable>(_ message: Message.Type = Message.self) -> ProviderAnswer<Message> {
        let status = response.status
        let unreadable = ProviderAnswer<Message>.unreadable(
            because: "status \(status.code) without an answer of an authorization provider"
        )
        let remarks = try? decoded(ProviderRemarks.self)
        let refusal = remarks?.refusal(retryAfter: retryAfter)
        // A gateway's word must not cost an identity: with such a status the server failed, whatever it says.
        if let temporaryFailure, refusal?.error != .slowDown {
            return .failed(
                temporaryFailure, retryAfter: retryAfter, because: refusal?.logLine ?? "status \(status.code)")
        }
        guard status.kind == .successful || status.kind == .clientError else { return unreadable }
        if let refusal {
            switch refusal.error {
            case .temporarilyUnavailable: return .failed(.busy, retryAfter: retryAfter, because: refusal.logLine)
            case .serverError: return .failed(.serverFault, retryAfter: retryAfter, because: refusal.logLine)
            default: return .refused(refusal)
            }
        }
        // Whatever the reason in it, the status says: not yet.
        let pending = ProviderAnswer<Message>.pending(remarks?.number, link: remarks?.link)
        if status == .accepted { return remarks != nil || body.isEmpty ? pending : unreadable }
        guard status.kind == .successful else { return unreadable }
        if remarks?.reason == PendingResponse.authorizationPending.reason { return pending }
        guard let message = try? decoded(Message.self) else { return unreadable }
        return .message(message)
    }

}

/// The members of an answer beside the requested ones; read from any JSON object.
private struct ProviderRemarks: Decodable {
    /// The error's word; empty when the member is not a string.
    let error: String?
    /// The error's description.
    let description: String?
    /// The pause before the next request, in seconds.
    let retryIn: Int?
    /// Why the answer is not there yet.
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
        let isThere = members.contains(.error) && (try? members.decodeNil(forKey: .error)) == false
        // An error that is no text is an error too.
        error = isThere ? text(.error) ?? "" : nil
        description = text(.description)
        reason = text(.reason)
        number = text(.number).flatMap { VerificationNumber(parsing: $0) }
        link = text(.link).flatMap { LinkMark(parsing: $0) }
        let seconds =
            (try? members.decodeIfPresent(Double.self, forKey: .retryIn)) ?? text(.retryIn).flatMap(Double.init)
        retryIn = seconds.flatMap { (0..<1e9).contains($0) ? Int($0.rounded(.up)) : nil }
    }

    /// The error in the answer; with `slow_down`, the header says when to ask again if the body does not.
    func refusal(retryAfter: RetryAfter?) -> CrossPlatformErrorResponse? {
        guard let error else { return nil }
        let code = CrossPlatformError.Code(error)
        let retryIn = retryIn ?? (code == .slowDown ? retryAfter?.seconds : nil)
        return CrossPlatformErrorResponse(
            CrossPlatformError(code, description, retryIn: retryIn, because: "the provider said so")
        )
    }
}

extension CrossPlatformErrorResponse {
    /// The provider's words, for the log.
    var logLine: String { SignInError(self).reason }
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
