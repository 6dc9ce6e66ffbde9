/// The possible steps of an app for a request that it has looked at.
///
/// All but ``decide(_:)`` are for requests of other apps on the same device alone, and ``answer(_:redirectURI:)`` and
/// ``unanswerable`` for their authorization requests.
package enum ApproverLookResponse<Details: LookDetails>: Sendable, Equatable {
    /// Decide about it.
    case decide(ApproverLook<Details>)
    /// Hand it to the browser: the person has to sign in again or choose an account, the app has not the evidence that is
    /// needed, or the answer can only be posted.
    case browser
    /// Nothing is to be decided: opening this address notifies the other app of the reason.
    case answer(AuthorizationAnswerAddress, redirectURI: String)
    /// Only inform the person: the request cannot be answered, since its app or its redirect URI is not registered, or
    /// it is used up. No address of it must be opened.
    case unanswerable
}

private enum ResponseKey: String, SnakeCaseKey {
    case outcome, location, redirectURI
}

private enum Outcome: String, Codable {
    case decide, browser, answer, unanswerable
}

extension ApproverLookResponse: Codable {
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ResponseKey.self)
        switch try fields.decode(Outcome.self, forKey: .outcome) {
        case .decide: self = .decide(try ApproverLook(from: decoder))
        case .browser: self = .browser
        case .answer:
            let location = AuthorizationAnswerAddress(revealing: try fields.decode(String.self, forKey: .location))
            self = .answer(location, redirectURI: try fields.decode(String.self, forKey: .redirectURI))
        case .unanswerable: self = .unanswerable
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: ResponseKey.self)
        switch self {
        case .decide(let look):
            try fields.encode(Outcome.decide, forKey: .outcome)
            try look.encode(to: encoder)
        case .browser: try fields.encode(Outcome.browser, forKey: .outcome)
        case .answer(let location, redirectURI: let redirectURI):
            try fields.encode(Outcome.answer, forKey: .outcome)
            try fields.encode(location.revealed, forKey: .location)
            try fields.encode(redirectURI, forKey: .redirectURI)
        case .unanswerable: try fields.encode(Outcome.unanswerable, forKey: .outcome)
        }
    }
}
