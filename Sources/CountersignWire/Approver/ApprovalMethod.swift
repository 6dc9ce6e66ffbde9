/// The way an app finds a request that its person decides.
public enum ApprovalMethod: String, Sendable, Hashable, Codable, CaseIterable {
    /// The code and the verifier from a screen nearby.
    case nearby
    /// The authorization request that the system opened it with.
    case authorization
    /// The code and the way back of a screen on the same device, whose link the system opened it with.
    case activation
    /// The inbox of its device, or a push message.
    case inbox

    /// The answers that a decision may have.
    package var answers: Set<DecisionClaims.Answer> {
        switch self {
        case .nearby, .activation: [.approve, .deny]
        case .authorization: [.approve, .remember, .unasked, .deny]
        case .inbox: [.approve, .deny, .report, .mute]
        }
    }

    /// Whether the app that asks is on the same device, and the app brings the answer back to it by an address.
    package var opensAnswer: Bool {
        switch self {
        case .authorization, .activation: true
        case .nearby, .inbox: false
        }
    }
}
