/// The reason that an end closes a link.
public enum EndReason: UInt8, Sendable, Hashable, CaseIterable {
    /// The person said no. It counts only from an approver that is authenticated.
    case declined = 1
    /// The person said "not now", which decides nothing.
    case notNow = 2
    /// Too many others are connected.
    case busy = 3
    /// Too many codes were wrong.
    case missesUsedUp = 4
    /// There is no common version.
    case version = 5
    /// A step took too long.
    case timedOut = 6
    /// Another device answered, or the requester has withdrawn.
    case answeredElsewhere = 7
    /// The app is not signed in to that server.
    case issuerUnknown = 8
    /// The app granted more bytes than a link carries.
    case grantTooLarge = 9
    /// The peer violated the protocol.
    case brokeProtocol = 10
    /// The person is not looking for screens to sign in.
    case windowClosed = 11
    /// The server did not accept the approval.
    case serverRefused = 12
}
