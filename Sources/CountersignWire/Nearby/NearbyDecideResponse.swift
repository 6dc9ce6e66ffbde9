public import Countersign

/// The server's confirmation that it recorded a decision, which is now final.
public struct NearbyDecideResponse: Sendable, Equatable, Codable {
    /// The request that was decided.
    public let exchange: SignInRequest.ID
    /// The answer that was recorded.
    public let decision: NearbyDecisionClaims.Answer

    /// Creates a confirmation.
    public init(exchange: SignInRequest.ID, decision: NearbyDecisionClaims.Answer) {
        self.exchange = exchange
        self.decision = decision
    }
}
