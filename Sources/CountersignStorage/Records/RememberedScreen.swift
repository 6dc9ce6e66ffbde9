public import FoundationEssentialsCompat

/// A screen on which a person chose to be remembered: its client may ask their devices with a request that names them.
public struct RememberedScreen: Sendable, Equatable {
    /// The identifier, which the ID tokens of its client carry.
    public let id: RememberedScreenID
    /// The person.
    public let subject: Subject
    /// The client of the screen.
    public let client: ClientID
    /// The screen's name for itself, at the last sign-in; `nil` for none.
    public var name: String?
    /// The time when the person chose it.
    public let since: Date
    /// The time of the last sign-in there.
    public var lastUsed: Date

    /// The largest number of screens of one person and client; a further one takes the place of the one that was not
    /// used for longest.
    package static let most = 20

    /// Creates a record.
    public init(
        id: RememberedScreenID, subject: Subject, client: ClientID, name: String?, since: Date, lastUsed: Date
    ) {
        self.id = id
        self.subject = subject
        self.client = client
        self.name = name
        self.since = since
        self.lastUsed = lastUsed
    }
}
