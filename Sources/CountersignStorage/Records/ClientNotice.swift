public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// News that a client has still to be told.
///
/// ``NoticeDelivery`` calls the client, again and again until it has taken the notice or is given up.
public struct ClientNotice: Sendable, Equatable {
    /// The event that a notice is about.
    public enum Matter: Sendable, Hashable {
        /// A person's session has ended. Standard: OpenID Connect Back-Channel Logout 1.0 §2.5.
        case sessionEnded(SessionID)
        /// A person decided about a request over the back channel, or its time is over. Standard: OpenID CIBA Core 1.0
        /// §10.2, §10.3.
        case requestEnded(SignInRequest.ID)
    }

    /// The event; there is at most one notice for each.
    public let matter: Matter
    /// The client to tell.
    public let client: ClientID
    /// The person whom it is about.
    public let subject: Subject
    /// The time of the event; for a request that is not decided yet, the time when that was made.
    public var occurred: Date
    /// The number of calls to the client.
    public var attempts: Int
    /// The time of the next call to the client.
    public var due: Date
    /// The secrets that are needed to call the client and must not be read in the database, sealed under a key of the
    /// server.
    public var sealed: SealedAnswer?
    /// The sign-in of the tokens that the notice brings; it ends when the client cannot be told. `nil` for other
    /// notices.
    public var grant: Grant.ID?

    /// Creates a notice to store.
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
