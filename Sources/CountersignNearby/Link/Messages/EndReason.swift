/// Why an end of a link says goodbye.
public enum EndReason: UInt8, Sendable, Hashable, CaseIterable {
    /// The person said no. It counts only from an approver that is authenticated.
    case declined = 1
    /// The person said "not now", which decides nothing.
    case notNow = 2
    /// Too many others are there.
    case busy = 3
    /// Too many codes went wrong.
    case missesUsedUp = 4
    /// No version is for both.
    case version = 5
    /// What was waited for did not happen in time.
    case timedOut = 6
    /// Another device answered, or the requester has withdrawn.
    case answeredElsewhere = 7
    /// The app is not signed in to that server.
    case issuerUnknown = 8
    /// The app granted more bytes than a link carries.
    case grantTooLarge = 9
    /// The other end broke the rules of the link.
    case brokeProtocol = 10
    /// The person is not looking for screens to sign in.
    case windowClosed = 11
    /// The server did not take the approval.
    case serverRefused = 12
}
