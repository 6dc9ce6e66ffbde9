public import Countersign

/// Permits one app of one account to decide one request, once.
public struct DecisionNonce: TimeOrderedSecret {
    /// The nonce as it stands in the decision.
    public let revealed: String
    /// Creates a nonce from the text that was minted or sent.
    ///
    /// - Parameter text: The nonce in the clear, as it stands in the answer to a look.
    public init(revealing text: String) { revealed = text }
}
