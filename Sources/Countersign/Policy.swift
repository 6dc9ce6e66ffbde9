/// What evidence buys. It is asked at the start of a request, when it is decided and when it is redeemed, so that a
/// party that was locked in between gets nothing.
public struct Policy: Sendable {
    /// The step at which policy is asked.
    public enum Phase: Sendable, Hashable, CaseIterable {
        case start, decision, redemption
    }

    /// How a party stands with the server.
    public enum Standing: String, Sendable, Hashable, Codable, CaseIterable {
        case active
        /// Locked by an administrator, until unlocked.
        case locked
        /// Not known, or not any more.
        case absent
    }

    /// Why policy says no.
    public enum Refusal: Error, Sendable, Hashable {
        case client(Standing)
        case subject(Standing)
        /// The person did not prove who they are.
        case notAuthenticated
        /// The person did not show to know of the code, and did not sign the client in before.
        case codeNotNamed
    }

    public init() {}

    /// Lets a step pass, or throws why not.
    ///
    /// `subject` is `nil` where no person is part of the step: at the start, and for a client's own tokens.
    public func authorize(
        _ phase: Phase,
        client: Standing,
        subject: Standing?,
        evidence: Evidence
    ) throws(Refusal) {
        guard client == .active else { throw .client(client) }
        if let subject, subject != .active { throw .subject(subject) }
        guard phase == .decision else { return }
        guard subject != nil, evidence.authenticated != nil else { throw .notAuthenticated }
        guard evidence.knowsTheScreen else { throw .codeNotNamed }
    }
}
