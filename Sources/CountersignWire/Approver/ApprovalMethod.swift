/// The way an app finds a request that its person decides.
public enum ApprovalMethod: String, Sendable, Hashable, Codable, CaseIterable {
    /// By the code and the verifier that a screen nearby gave it.
    case nearby
    /// By the authorization request that the system opened it with.
    case authorization
    /// By the inbox of its device, or by a push message.
    case inbox

    /// The answers that a decision may have.
    public var answers: Set<DecisionClaims.Answer> {
        switch self {
        case .nearby: [.approve, .deny]
        case .authorization: [.approve, .remember, .unasked, .deny]
        case .inbox: [.approve, .deny, .report]
        }
    }
}
