internal import NIOCore

/// When an answer to everybody may be sent, and when it must.
struct WaitingAnswer: Sendable, Equatable {
    /// When it may be sent.
    var earliest: ContinuousClock.Instant
    /// When it must be sent.
    var due: ContinuousClock.Instant
}

/// An answer for one asker.
struct WaitingReply: Sendable {
    /// Who asked.
    let recipient: SocketAddress
    /// The question of a plain resolver, which its answer repeats with its number; nil for others.
    let resolver: Message?
    /// What is answered.
    var answers: [ResourceRecord]
    /// When it is sent.
    let due: ContinuousClock.Instant
}

/// A question of whom more known answers are to come.
struct QuestionInParts: Sendable {
    /// What arrived so far: the question, and known answers.
    var message: Message
    /// Whether the question was sent to everybody.
    let isMulticast: Bool
    var due: ContinuousClock.Instant
}
