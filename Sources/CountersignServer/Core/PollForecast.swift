internal import FoundationEssentialsCompat

/// The answer that a client gets when it asks for the tokens of a request, and its reason.
///
/// Standard: RFC 8628 §3.5; OpenID CIBA Core 1.0 §11.
package enum PollForecast: String, Sendable {
    /// Nobody has decided yet.
    case pending = "authorization_pending"
    /// The request was denied, or its approval undone.
    case denied = "access_denied"
    /// The person cannot authenticate as the client asks for it.
    case unmet = "unmet_authentication_requirements"
    /// The time of the code is over.
    case expired = "expired_token"
    /// The code was redeemed before.
    case spent = "invalid_grant"
    /// The tokens.
    case tokens

    /// The answer of a request at `now`; `nil` when the client has no code to ask with.
    init?(of stored: SignInExchangeRecord, at now: Date) {
        guard stored.method.grantType != nil else { return nil }
        var exchange = stored.exchange
        let link = exchange.link
        self =
            switch exchange.redeem(at: now) {
            case .wait, .otherLink: link == nil ? .pending : .tokens
            case .denied: stored.terms.isUnattainable ? .unmet : .denied
            case .expired: .expired
            case .alreadySpent: .spent
            case .granted: .tokens
            }
    }

    /// The reason in words, for a developer.
    package var reason: String {
        switch self {
        case .pending: "nobody has decided yet"
        case .denied: "it was denied, or the approval was undone"
        case .unmet: "the person cannot authenticate as the client asks for it"
        case .expired: "its time is over"
        case .spent: "the tokens were given before"
        case .tokens: "it is approved"
        }
    }
}
