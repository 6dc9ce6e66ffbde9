public import Countersign

/// The server has written a decision down; it stands.
public struct NearbyDecideResponse: Sendable, Equatable, Codable {
    public let exchange: SignInRequest.ID
    public let decision: NearbyDecisionClaims.Answer

    public init(exchange: SignInRequest.ID, decision: NearbyDecisionClaims.Answer) {
        self.exchange = exchange
        self.decision = decision
    }
}
