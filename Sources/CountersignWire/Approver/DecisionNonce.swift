public import Countersign

/// Permits one app of one account to decide one request, once.
public struct DecisionNonce: TimeOrderedSecret {
    /// The wire form of the nonce, in the decision.
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}
