internal import Countersign
internal import CountersignWire

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A request over the back channel that waits for the person whom it names.
///
/// Standard: OpenID CIBA Core 1.0 §8.
struct BackchannelQuestion: Sendable, Equatable {
    /// The form field `request`; no secret.
    let questionID: String
    /// The name of the app that asks, as it is shown.
    let asker: String
    /// Whether the app gave itself that name.
    var isAskerSelfNamed = false
    /// The message that the person should see where they started, too.
    let binding: String?
    let questionAsked: TimeDisplay
    /// The address that it asked from.
    let questionAddress: String?
    /// From where the person signs in, as the app says.
    let questionOrigin: String?
}

extension BackchannelQuestion {
    /// The request that a person is shown, as pages show it; `nil` when none waits.
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
