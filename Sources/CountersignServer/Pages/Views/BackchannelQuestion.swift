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
    let questionAsked: ShownTime
    /// The address that it asked from.
    let questionAddress: String?
    /// From where the person signs in, as the app says.
    let questionOrigin: String?
}

extension Repositories {
    /// The request over the back channel that a person is shown; `nil` when none waits.
    ///
    /// There is one at a time, the oldest first: a person who is asked again and again must not approve the wrong
    /// request by one press too many. The others are shown in turn, once the one before is decided or over.
    func backchannelRequest(for subject: Subject, at now: Date) throws -> SignInExchangeRecord? {
        try answerable(by: subject, at: now).first { $0.method.isNamedByClient && $0.method.kind == .instant }
    }

    /// The same as pages show it.
    func backchannelQuestion(for subject: Subject, at now: Date) throws -> BackchannelQuestion? {
        guard let stored = try backchannelRequest(for: subject, at: now),
            let client = try clients.find(stored.exchange.request.client.value)
        else { return nil }
        let request = stored.exchange.request
        return BackchannelQuestion(
            questionID: stored.id.rawValue,
            asker: client.shownName,
            isAskerSelfNamed: client.namedItself,
            binding: stored.method.message,
            questionAsked: ShownTime(request.asked.value, at: now),
            questionAddress: request.address?.value,
            questionOrigin: stored.method.origin.map(ShownFact.claim)
        )
    }
}
