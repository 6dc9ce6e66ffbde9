internal import NIOCore

/// A multicast answer that waits: when it may be sent, and when it must be.
struct DelayedMulticastAnswer: Sendable, Equatable {
    var earliest: ContinuousClock.Instant
    /// The latest instant of sending.
    var due: ContinuousClock.Instant
}

/// A unicast answer that waits.
struct DelayedUnicastResponse: Sendable {
    let recipient: SocketAddress
    /// The question of a plain resolver, which its answer repeats with its number; nil for others.
    let resolver: Message?
    var answers: [ResourceRecord]
    let due: ContinuousClock.Instant
}

/// A query with the TC bit set: more known answers will follow.
struct TruncatedQuery: Sendable {
    /// The parts that arrived so far: the question, and known answers.
    var message: Message
    /// Whether the question was sent by multicast.
    let isMulticast: Bool
    /// The instant of the answer, unless further known answers are announced before.
    var due: ContinuousClock.Instant
    let latest: ContinuousClock.Instant
}
