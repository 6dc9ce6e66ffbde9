public import FoundationEssentialsCompat

/// A person's refusal of all requests of a client, until the person or an operator lifts it.
///
/// Sites and self-registered devices are clients, too.
public struct Mute: Sendable, Equatable {
    /// The reason for a mute.
    public enum Cause: String, Sendable, CaseIterable {
        /// The person reported a request as foreign.
        case reported
        /// The person muted the client.
        case muted
    }

    /// The person.
    public let subject: Subject
    /// The muted client.
    public let client: ClientID
    /// The reason.
    public let cause: Cause
    /// The time of its creation.
    public let since: Date

    /// Creates a mute.
    public init(subject: Subject, client: ClientID, cause: Cause, since: Date) {
        self.subject = subject
        self.client = client
        self.cause = cause
        self.since = since
    }
}
