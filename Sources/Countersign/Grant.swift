public import FoundationEssentialsCompat

/// Permission that a person gave to a client, to be redeemed once for tokens.
///
/// A grant holds no secret. The party that redeems it proves itself by the code or key of its flow, and only then are
/// tokens issued. Standard: RFC 6749 §1.3 (authorization grant).
public struct Grant: Sendable, Equatable, Codable {
    /// Identifies one grant; each token issued from it carries this identifier.
    public struct ID: TimeOrderedIdentifier {
        /// The identifier as text.
        public let rawValue: String
        /// Creates an identifier from any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The identifier that its tokens carry.
    public let id: ID
    /// The person who approved; tokens are issued for them.
    public let subject: Subject
    /// The client that may redeem it.
    public let client: ClientID
    /// The scope that the person allowed: at most the requested one.
    public let scope: Scope
    /// The evidence up to the approval.
    public let evidence: Evidence
    /// The instant of the approval, by the server's clock.
    public let approved: Date
    /// The instant when it ends by itself with all its tokens, because the person chose so, or approved where they are
    /// signed in until then; `nil` for none.
    public var ends: Date?
    /// The browser session or app of the approval, if that one ends by itself: an earlier end of it ends the grant, too;
    /// `nil` for none.
    public var endsWith: ApproverID?
    /// The screen on which the person is remembered; `nil` for none.
    public var screen: RememberedScreenID?

    /// Creates the grant that an approval gives.
    public init(id: ID, subject: Subject, client: ClientID, scope: Scope, evidence: Evidence, approved: Date) {
        self.id = id
        self.subject = subject
        self.client = client
        self.scope = scope
        self.evidence = evidence
        self.approved = approved
    }

    /// Whether it has ended by itself.
    ///
    /// - Parameter now: The current time.
    public func hasEnded(at now: Date) -> Bool { ends.map { $0 <= now } ?? false }
}

/// An approver's decision about a request.
public enum Decision: Sendable, Equatable {
    /// The person approves; the grant is what the requester may redeem.
    case approve(Grant)
    /// The person refuses.
    case deny
}
