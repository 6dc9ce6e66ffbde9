/// One end of a link: a state machine as a value, whose inputs are messages, actions of the person and the time.
protocol LinkEnd: Sendable {
    /// An action that the end asks its caller for.
    associatedtype Effect: LinkEffect

    /// Detects a dead peer, and schedules keep-alives.
    var keepAlive: LinkKeepAlive { get set }
    var stateEnds: ContinuousClock.Instant? { get }
    /// Whether the connection is to be closed.
    var isOver: Bool { get }

    /// Leaves the current state, whose deadline has passed.
    mutating func lasted(at now: ContinuousClock.Instant) -> [Effect]
    /// Ends the link, and tells the peer the reason, if any.
    mutating func end(_ outcome: Effect.Outcome, saying reason: EndReason?) -> [Effect]
}

/// An action that one end of a link asks its caller for.
protocol LinkEffect: Sendable {
    /// The outcome of the link.
    associatedtype Outcome: LinkOutcome

    static func send(_ message: LinkMessage) -> Self
    /// The last effect of all.
    static func end(_ outcome: Outcome) -> Self
    /// Whether a message is sent.
    var speaks: Bool { get }
}

/// The outcome of a link at one of its ends.
protocol LinkOutcome: Sendable {
    /// The peer has disconnected; with the reason that it gave, if any.
    static func gone(said reason: EndReason?) -> Self
    /// The peer violated the protocol.
    static var brokeProtocol: Self { get }
    /// This end has ended the link.
    static func left(_ reason: EndReason) -> Self
}

extension LinkEnd {
    /// Ends the link because the received bytes are not a valid message.
    mutating func receiveNonsense(at now: ContinuousClock.Instant) -> [Effect] { paced(at: now) { $0.breach() } }

    /// Ends the link for this end's own reason.
    mutating func leave(
        _ reason: EndReason,
        _ outcome: Effect.Outcome? = nil,
        at now: ContinuousClock.Instant
    ) -> [Effect] { paced(at: now) { $0.end(outcome ?? .left(reason), saying: reason) } }

    /// Ends the link because the connection is closed.
    mutating func close() -> [Effect] { end(.gone(said: nil), saying: nil) }

    /// Applies the deadlines that have passed.
    mutating func pass(at now: ContinuousClock.Instant) -> [Effect] {
        paced(at: now) { link in
            guard !link.isOver else { return [] }
            if link.keepAlive.isGone(at: now) { return link.close() }
            if let ends = link.stateEnds, now >= ends { return link.lasted(at: now) }
            return link.keepAlive.isDue(at: now) ? [.send(.alive)] : []
        }
    }

    /// The next due time of ``pass(at:)``; `nil` after the end of the link.
    var deadline: ContinuousClock.Instant? {
        isOver ? nil : stateEnds.map { min($0, keepAlive.deadline) } ?? keepAlive.deadline
    }

    /// Applies an event, and notes when a message is sent.
    mutating func paced(at now: ContinuousClock.Instant, _ event: (inout Self) -> [Effect]) -> [Effect] {
        let effects = event(&self)
        if effects.contains(where: \.speaks) { keepAlive.speak(at: now) }
        return effects
    }

    /// Ends the link because the peer violated the protocol.
    mutating func breach() -> [Effect] { end(.brokeProtocol, saying: .brokeProtocol) }
}
