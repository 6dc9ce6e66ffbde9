/// How an approver behaves, where there is a choice.
public struct NearbyApprovalOptions: Sendable, Equatable {
    /// How long one request may take.
    public var timeLimit = Duration.seconds(15)
    /// Talks to other machines without encryption: everybody on the way can read and change everything. For tests in
    /// closed networks only.
    public var allowingInsecureHTTP = false

    /// What suits a phone on an ordinary network.
    public init() {}
}
