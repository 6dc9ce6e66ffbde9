internal import CountersignWire
internal import HTTPTypes

extension CustomerSiteAPIError {
    static let decided = CustomerSiteAPIError(.conflict, "The request is decided.", because: "decided before")
    static let over = CustomerSiteAPIError(.gone, "The request is over.", because: "expired or failed")

    /// The error for an answer to a request of this status; `nil` for one that is open.
    init?(answering status: AuthenticationRequest.Status) {
        switch status {
        case .open: return nil
        case .approved, .denied: self = .decided
        case .expired, .failed: self = .over
        }
    }

    /// The error for an answer with this outcome; `nil` for one that stands.
    ///
    /// - Parameter message: The message when policy refuses.
    init?(_ outcome: DecisionOutcome, refusedAs message: String) {
        switch outcome {
        case .decided, .repeated: return nil
        case .alreadyDecided, .notTaken, .addressedToAnother, .wrongDigits, .unmet, .tooEarly: self = .decided
        case .expired, .cancelled: self = .over
        case .refused(let refusal): self.init(.forbidden, message, because: "policy: \(refusal)")
        }
    }
}
