/// How an approver behaves, where there is a choice.
public struct ApprovalOptions: Sendable, Equatable {
    /// How long one request may take.
    public var timeLimit = Duration.seconds(15)
    /// How long a look may take in all, with its attempts at reaching the server.
    public var lookTimeLimit = Duration.seconds(60)
    /// Talks to other machines without encryption: everybody on the way can read and change everything. For tests in
    /// closed networks only.
    public var allowingInsecureHTTP = false

    /// Options for a phone on an ordinary network.
    public init() {}

    /// How long one of several attempts may take: shorter, since another one follows.
    var attemptTimeLimit: Duration { min(timeLimit, .seconds(5)) }
}
