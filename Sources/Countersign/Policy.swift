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
        /// The person did not show to know of the code, does not stand before the screen as far as is known, and did
        /// not sign the client in before.
        case codeNotNamed
        /// What is asked is given only to people who stand before the screen.
        case notNearby
    }

    /// What a screen gets only from a person who stands before it; a code alone does not do.
    public let nearbyScope: Scope

    /// A policy under which the words of `nearbyScope` are given only nearby.
    public init(nearbyScope: Scope = .none) {
        self.nearbyScope = nearbyScope
    }

    /// Lets a step pass, or throws why not.
    ///
    /// `subject` is `nil` where no person is part of the step: at the start, and for a client's own tokens. `scope` is
    /// what is decided about.
    public func authorize(
        _ phase: Phase,
        client: Standing,
        subject: Standing?,
        evidence: Evidence,
        scope: Scope = .none
    ) throws(Refusal) {
        guard client == .active else { throw .client(client) }
        if let subject, subject != .active { throw .subject(subject) }
        guard phase == .decision else { return }
        guard subject != nil, evidence.authenticated != nil else { throw .notAuthenticated }
        guard evidence.knowsTheScreen else { throw .codeNotNamed }
        guard evidence.isNearby || !scope.words.contains(where: nearbyScope.contains) else { throw .notNearby }
    }
}
