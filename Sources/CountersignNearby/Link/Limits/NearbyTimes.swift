/// The time limits of the steps of a link. Every wait ends.
public struct NearbyTimes: Sendable, Equatable {
    /// Until a connection is established.
    public var connect: Duration = .seconds(3)
    /// For the three frames of the handshake.
    public var handshake: Duration = .seconds(5)
    /// The time from the handshake until the requester has asked.
    public var ask: Duration = .seconds(5)
    /// The time until the person has confirmed the screen in front of them.
    public var prompt: Duration = .seconds(60)
    /// The longest wait in the queue.
    public var line: Duration = .seconds(120)
    /// Until the person has typed the code, and until they ask for another one after a miss.
    public var typing: Duration = .seconds(120)
    /// For a step that needs no person.
    public var step: Duration = .seconds(10)
    /// Until the app has decided.
    public var decision: Duration = .seconds(120)
    /// The longest ``decision`` that takes effect, and how long a requester waits at most.
    public var longestDecision: Duration = .seconds(600)
    /// Between two parts of a grant.
    public var part: Duration = .seconds(30)
    /// The time from the last part until the requester confirms the whole grant.
    public var done: Duration = .seconds(30)
    /// The silence after which the peer counts as disconnected.
    public var silence: Duration = .seconds(30)
    /// The time without sending after which an end sends a keep-alive.
    public var alive: Duration = .seconds(10)

    /// The time that an approver keeps a name that was drawn at random; longer while it is answering a screen.
    public var name: Duration = .seconds(900)

    /// The times of the protocol.
    public static let standard = NearbyTimes()

    /// The times of the protocol.
    private init() {}

    /// The time limit of an app's decision, within the protocol's limit.
    var allowedDecision: Duration { min(decision, longestDecision) }
}
