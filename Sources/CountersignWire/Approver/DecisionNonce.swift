/// Permits one app of one account to decide one request, once.
package struct DecisionNonce: TimeOrderedSecret {
    /// The wire form of the nonce, in the decision.
    package let revealed: String
    package init(revealing text: String) { revealed = text }
}
