internal import FoundationEssentialsCompat

/// A pending request over the back channel on the account page.
///
/// Standard: OpenID CIBA Core 1.0 §8.
struct BackchannelQuestion: Sendable, Equatable {
    /// The form field `request`; no secret.
    let questionID: String
    /// The name of the app.
    let asker: String
    /// Whether the app chose that name itself.
    var isAskerSelfNamed = false
    /// The binding message.
    let binding: String?
    let questionAsked: TimeDisplay
    /// The network address of the request.
    let questionAddress: String?
    /// The origin of the sign-in, as the app stated it.
    let questionOrigin: String?
}

extension BackchannelQuestion {
    /// Reads the pending request of a person; `nil` for none.
    init?(for subject: Subject, in repositories: any Repositories, at now: Date) throws {
        guard let stored = try RequestInbox(repositories).backchannelRequest(for: subject, at: now),
            let client = try repositories.clients.find(stored.exchange.request.client.value)
        else { return nil }
        let request = stored.exchange.request
        self.init(
            questionID: stored.id.rawValue,
            asker: client.shownName,
            isAskerSelfNamed: client.namedItself,
            binding: stored.method.message,
            questionAsked: TimeDisplay(request.asked.value, at: now),
            questionAddress: request.address?.value,
            questionOrigin: stored.method.origin.map(FactLine.claim)
        )
    }
}
