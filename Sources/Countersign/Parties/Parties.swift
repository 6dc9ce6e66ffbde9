/// An app that is known to the server.
///
/// Standard: RFC 6749 §2.2.
public struct ClientID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The person for whom a screen is signed in, as the server names them: stable, and never reused.
///
/// Standard: OpenID Connect Core 1.0 §2 (`sub`).
public struct Subject: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// One screen that answers: a browser session or an enrolled authenticator.
public struct ApproverID: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// Who answers a request: a person, and the screen at which they do it.
///
/// Taking a request binds both, so that a decision from another screen of the same person does not count.
public struct Approver: Sendable, Hashable, Codable {
    public let subject: Subject
    public let id: ApproverID

    public init(subject: Subject, id: ApproverID) {
        self.subject = subject
        self.id = id
    }
}
