public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The wish of a person to be asked nothing more by a client. It has no end; the person or an operator lifts it.
///
/// A client, a site and a device that registered itself are all clients here.
public struct Mute: Sendable, Equatable {
    /// The reason for the wish.
    public enum Cause: String, Sendable, CaseIterable {
        /// The person said of a request that they did not start it.
        case reported
        /// The person asked not to be asked again.
        case muted
    }

    /// The person.
    public let subject: Subject
    /// The client whose requests are not shown to them.
    public let client: ClientID
    /// The reason.
    public let cause: Cause
    /// The time of the person's wish.
    public let since: Date

    /// Creates a mute.
    public init(subject: Subject, client: ClientID, cause: Cause, since: Date) {
        self.subject = subject
        self.client = client
        self.cause = cause
        self.since = since
    }
}
