internal import NIOCore

/// When an answer to everybody may be sent, and when it must.
struct WaitingAnswer: Sendable, Equatable {
    var earliest: ContinuousClock.Instant
    var due: ContinuousClock.Instant
}

/// An answer for one asker.
struct WaitingReply: Sendable {
    let recipient: SocketAddress
    /// The question of a plain resolver, which its answer repeats with its number; nil for others.
    let resolver: Message?
    var answers: [ResourceRecord]
    let due: ContinuousClock.Instant
}

/// A question of whom more known answers are to come.
struct QuestionInParts: Sendable {
    var message: Message
    let isMulticast: Bool
    var due: ContinuousClock.Instant
}
