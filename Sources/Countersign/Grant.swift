#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What travels back when a person approves: permission, to be redeemed once.
///
/// It holds no secret. Whoever redeems it proves itself by the code or key of its own way in, and only then are
/// tokens made.
/// Standard: RFC 6749 §1.3 (authorization grant).
public struct Grant: Sendable, Equatable, Codable {
    /// Names one grant; tokens that come from it carry this name.
    public struct ID: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let id: ID
    public let subject: Subject
    public let client: ClientID
    public let scope: Scope
    public let evidence: Evidence
    /// When it was given.
    public let approved: Date

    public init(id: ID, subject: Subject, client: ClientID, scope: Scope, evidence: Evidence, approved: Date) {
        self.id = id
        self.subject = subject
        self.client = client
        self.scope = scope
        self.evidence = evidence
        self.approved = approved
    }
}

/// What an approver answers.
public enum Decision: Sendable, Equatable {
    case approve(Grant)
    case deny
}
