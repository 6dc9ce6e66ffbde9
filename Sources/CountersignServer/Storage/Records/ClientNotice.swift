public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something of which a client has still to be told.
///
/// ``NoticeDelivery`` calls the client, again and again until it has taken the notice or is given up.
public struct ClientNotice: Sendable, Equatable {
    /// What happened.
    public enum Matter: Sendable, Hashable {
        /// A person's session has ended. Standard: OpenID Connect Back-Channel Logout 1.0 §2.5.
        case sessionEnded(SessionID)
        /// A person decided about a request over the back channel, or its time is over. Standard: OpenID CIBA Core 1.0
        /// §10.2, §10.3.
        case requestEnded(SignInRequest.ID)
    }

    /// What happened; there is at most one notice for each.
    public let matter: Matter
    /// The client to tell.
    public let client: ClientID
    /// The person whom it is about.
    public let subject: Subject
    /// When it happened; for a request that is not decided yet, when that was made.
    public var occurred: Date
    /// How often the client was called.
    public var attempts: Int
    /// When the client is to be called next.
    public var due: Date
    /// What is needed to call the client and must not be read in the database, sealed under a key of the server.
    public var sealed: SealedAnswer?
    /// The sign-in whose tokens the notice brings; it ends when the client cannot be told. `nil` for other notices.
    public var grant: Grant.ID?

    /// Creates a notice to store.
    ///
    /// - Parameters:
    ///   - matter: What happened.
    ///   - client: The client to tell.
    ///   - subject: The person whom it is about.
    ///   - occurred: When it happened.
    ///   - attempts: How often the client was called; not yet, by default.
    ///   - due: When the client is to be called next.
    ///   - sealed: What is needed to call the client, sealed; nothing by default.
    ///   - grant: The sign-in whose tokens the notice brings; none by default.
    public init(
        _ matter: Matter,
        client: ClientID,
        subject: Subject,
        occurred: Date,
        attempts: Int = 0,
        due: Date,
        sealed: SealedAnswer? = nil,
        grant: Grant.ID? = nil
    ) {
        self.matter = matter
        self.client = client
        self.subject = subject
        self.occurred = occurred
        self.attempts = attempts
        self.due = due
        self.sealed = sealed
        self.grant = grant
    }
}
