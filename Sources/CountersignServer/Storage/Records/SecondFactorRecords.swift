public import Countersign
public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A passkey with which a person signs in.
public struct PasskeyRecord: Sendable, Equatable {
    /// What is needed to verify its assertions.
    public var passkey: Passkey
    /// The person whom it signs in.
    public let subject: Subject
    /// The name that the person gave it.
    public let name: String
    /// When it was added.
    public let created: Date
    /// When it was last used; `nil` before its first use.
    public var lastUsed: Date?

    /// Creates a passkey to store.
    ///
    /// - Parameters:
    ///   - passkey: What is needed to verify its assertions.
    ///   - subject: The person whom it signs in.
    ///   - name: The name that the person gave it.
    ///   - created: The current time.
    ///   - lastUsed: When it was last used; `nil` by default.
    public init(passkey: Passkey, subject: Subject, name: String, created: Date, lastUsed: Date? = nil) {
        self.passkey = passkey
        self.subject = subject
        self.name = name
        self.created = created
        self.lastUsed = lastUsed
    }

    /// The name under which authenticators know a person; `nil` for an identifier that is too long for them.
    static func userHandle(of subject: Subject) -> UserHandle? {
        UserHandle(bytes: subject.rawValue.utf8)
    }
}

/// What changes from one password of an authenticator to the next.
///
/// Standard: RFC 4226 §5.1; RFC 6238 §4.
public enum MovingFactor: String, Sendable, CaseIterable {
    /// The time, in steps of 30 seconds: TOTP.
    case time
    /// A counter, which moves with each password that is shown: HOTP.
    case counter
}

/// The one-time passwords of a person's authenticator.
public struct OneTimePasswordRecord: Sendable, Equatable {
    /// The person.
    public let subject: Subject
    /// The shared secret, sealed under a key of the server.
    public let sealedSecret: [UInt8]
    /// From what the authenticator computes its passwords.
    public let movingFactor: MovingFactor
    /// The last time step or counter whose password was accepted; `nil` before the first.
    public var last: UInt64?
    /// How many steps the authenticator's clock is ahead; negative when it is behind.
    public var drift: Int
    /// When it was set up.
    public let enrolled: Date

    /// Creates a record to store.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - sealedSecret: The shared secret, sealed under a key of the server.
    ///   - movingFactor: From what the authenticator computes its passwords; from the time by default.
    ///   - last: The last time step or counter whose password was accepted; `nil`, the default, before the first.
    ///   - drift: How many steps the authenticator's clock is ahead; 0 by default.
    ///   - enrolled: The current time.
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
