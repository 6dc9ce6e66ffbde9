internal import FoundationEssentialsCompat

/// The answer that a client gets when it asks for the tokens of a request, and its reason.
///
/// Standard: RFC 8628 §3.5; OpenID CIBA Core 1.0 §11.
package enum PollForecast: String, Sendable {
    /// Nobody has decided yet.
    case pending = "authorization_pending"
    /// The request was denied, undone, withdrawn or given up.
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

    /// The reason in words, where the events do not tell more.
    fileprivate var reason: String {
        switch self {
        case .pending: "nobody has decided yet"
        case .denied: "it was decided, and no record tells how"
        case .unmet: "the person cannot authenticate as the client asks for it"
        case .expired: "its time is over"
        case .spent: "the tokens were given before"
        case .tokens: "it is approved"
        }
    }
}

extension RequestHistory {
    /// The reason for the answer that the client gets now, in words for a developer; `nil` when it asks for none.
    package var pollReason: String? {
        guard let poll else { return nil }
        let end = outcome?.kind.endReason
        return switch poll {
        case .denied: end ?? poll.reason
        case .spent: [poll.reason, end].compactMap(\.self).joined(separator: "; ")
        case .pending, .unmet, .expired, .tokens: poll.reason
        }
    }
}

extension RequestEvent.Kind {
    /// The reason that a client gets no tokens, or that those it has no longer count; `nil` for an event that is none.
    fileprivate var endReason: String? {
        switch self {
        case .denied(.answer): "the person denied it"
        case .denied(.misses): "it was denied, because the number was wrong too often"
        case .denied(.unmet): "it was denied, because the person cannot authenticate as the client asks for it"
        case .denied(.notInGroup): "it was denied, because its scope is only for a group that the person is not in"
        case .denied(.policy): "it was denied, because the account or the app could not be signed in any more"
        case .reported: "the person denied and reported it"
        case .undone: "the approval was undone"
        case .cancelled: "the app that asked gave it up"
        case .takenBack: "it was withdrawn by a sign-out, or because the screen no longer remembers the person"
        case .otherLink: "another screen asked for the tokens than the one that was approved"
        case .ended: "the sign-in has ended"
        case .reused: "the sign-in has ended, because a code or token was used twice"
        case .asked, .codeShown, .delivery, .undelivered, .clientNotTold, .seen, .taken, .numberAsked, .numberMissed,
            .refused, .approved, .approvedUnasked, .redeemed, .remembered, .redemptionRefused, .expired, .other:
            nil
        }
    }
}
