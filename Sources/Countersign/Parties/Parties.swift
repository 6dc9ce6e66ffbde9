/// Identifies an app that is registered with the server.
///
/// Standard: RFC 6749 §2.2.
public struct ClientID: Identifier {
    /// The identifier as it appears in requests (`client_id`).
    public let rawValue: String
    /// Creates an identifier from any text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Identifies a person at the server: stable, and never given to another person.
///
/// Standard: OpenID Connect Core 1.0 §2 (`sub`).
public struct Subject: Identifier {
    /// The identifier as tokens carry it (`sub`).
    public let rawValue: String
    /// Creates an identifier from any text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Identifies one screen that answers: a browser session or a phone's key.
public struct ApproverID: Identifier {
    /// The identifier as text.
    public let rawValue: String
    /// Creates an identifier from any text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Identifies the party that answers a request: a person, and the screen that they use.
///
/// A request that is taken is bound to both, so a decision from another screen of the same person does not count.
public struct ApproverIdentity: Sendable, Hashable, Codable {
    /// The person.
    public let subject: Subject
    /// The screen that the person uses.
    public let id: ApproverID

    /// Identifies an approver.
    public init(subject: Subject, id: ApproverID) {
        self.subject = subject
        self.id = id
    }
}
