public import FoundationEssentialsCompat

/// An event that a client has not accepted yet.
///
/// ``NoticeDelivery`` calls the client until it accepts the notice or the attempts are exhausted.
public struct ClientNotice: Sendable, Equatable {
    /// The event that a notice is about.
    public enum Matter: Sendable, Hashable {
        /// A person's session has ended. Standard: OpenID Connect Back-Channel Logout 1.0 §2.5.
        case sessionEnded(SessionID)
        /// A request over the back channel was decided or has expired. Standard: OpenID CIBA Core 1.0 §10.2, §10.3.
        case requestEnded(SignInRequest.ID)
    }

    /// The event; there is at most one notice for each.
    public let matter: Matter
    /// The client that receives it.
    public let client: ClientID
    /// The person whom it is about.
    public let subject: Subject
    /// The time of the event; for an undecided request, the time of its start.
    public var occurred: Date
    /// The number of calls to the client.
    public var attempts: Int
    /// The time of the next call to the client.
    public var due: Date
    /// The secrets for the call, sealed under a key of the server.
    public var sealed: SealedAnswer?
    /// The sign-in of the tokens in the notice, which ends if the delivery fails; `nil` for other notices.
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
