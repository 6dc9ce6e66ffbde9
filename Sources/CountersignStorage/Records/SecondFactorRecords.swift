public import FoundationEssentialsCompat

/// A passkey that signs a person in.
public struct PasskeyRecord: Sendable, Equatable {
    /// The credential record that verifies its assertions.
    public var passkey: Passkey
    /// The person whom it signs in.
    public let subject: Subject
    /// The name that the person gave it.
    public let name: String
    /// The time of its creation.
    public let created: Date
    /// The time of its last use; `nil` before its first use.
    public var lastUsed: Date?

    /// Creates a passkey to store.
    public init(passkey: Passkey, subject: Subject, name: String, created: Date, lastUsed: Date? = nil) {
        self.passkey = passkey
        self.subject = subject
        self.name = name
        self.created = created
        self.lastUsed = lastUsed
    }

    /// The user handle of a person; `nil` for a subject that is too long.
    package static func userHandle(of subject: Subject) -> UserHandle? {
        UserHandle(bytes: subject.rawValue.utf8)
    }
}

/// The moving factor of one-time passwords.
///
/// Standard: RFC 4226 §5.1; RFC 6238 §4.
public enum MovingFactor: String, Sendable, CaseIterable {
    /// The time, in steps of 30 seconds: TOTP.
    case time
    /// A counter of the passwords: HOTP.
    case counter
}

/// The one-time passwords of a person's app or device.
public struct OneTimePasswordRecord: Sendable, Equatable {
    /// The person.
    public let subject: Subject
    /// The shared secret, sealed under a key of the server.
    public let sealedSecret: [UInt8]
    /// The moving factor of the passwords.
    public let movingFactor: MovingFactor
    /// The last time step or counter whose password was accepted; `nil` before the first.
    public var last: UInt64?
    /// The number of steps that the clock of the app or device is ahead; negative when it is behind.
    public var drift: Int
    /// The time of its enrolment.
    public let enrolled: Date

    /// Creates a record to store.
    public init(
        subject: Subject,
        sealedSecret: [UInt8],
        movingFactor: MovingFactor = .time,
        last: UInt64? = nil,
        drift: Int = 0,
        enrolled: Date
    ) {
        self.movingFactor = movingFactor
        self.subject = subject
        self.sealedSecret = sealedSecret
        self.last = last
        self.drift = drift
        self.enrolled = enrolled
    }
}
