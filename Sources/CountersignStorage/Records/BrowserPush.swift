public import FoundationEssentialsCompat

/// The registration of a browser for push messages about requests to its person; it ends with the session.
public struct BrowserPush: Sendable, Equatable {
    /// The session of the browser.
    public let session: ApproverID
    /// The person who is signed in there.
    public let subject: Subject
    /// The address and the keys of the browser.
    public let subscription: WebPushSubscription
    /// The language of the browser's page, for the words of messages, as a language tag.
    public let language: String
    /// The time of the registration.
    public let added: Date
    /// The expiry of the session.
    public var expires: Date

    /// Creates a registration to store.
    public init(
        session: ApproverID, subject: Subject, subscription: WebPushSubscription, language: String, added: Date,
        expires: Date
    ) {
        self.session = session
        self.subject = subject
        self.subscription = subscription
        self.language = language
        self.added = added
        self.expires = expires
    }
}
