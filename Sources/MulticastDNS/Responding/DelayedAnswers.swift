internal import NIOCore

/// A multicast answer that waits: when it may be sent, and when it must be.
struct DelayedMulticastAnswer: Sendable, Equatable {
    /// When it may be sent.
    var earliest: ContinuousClock.Instant
    /// When it must be sent.
    var due: ContinuousClock.Instant
}

/// A unicast answer that waits.
struct DelayedUnicastResponse: Sendable {
    /// Who asked.
    let recipient: SocketAddress
    /// The question of a plain resolver, which its answer repeats with its number; nil for others.
    let resolver: Message?
    /// What is answered.
    var answers: [ResourceRecord]
    /// When it is sent.
    let due: ContinuousClock.Instant
}

/// A query with the TC bit set: more known answers will follow.
struct TruncatedQuery: Sendable {
    /// What arrived so far: the question, and known answers.
    var message: Message
    /// Whether the question was sent by multicast.
    let isMulticast: Bool
    /// When it is answered, unless further known answers are announced before.
    var due: ContinuousClock.Instant
    /// When it is answered at the latest.
    let latest: ContinuousClock.Instant
}
