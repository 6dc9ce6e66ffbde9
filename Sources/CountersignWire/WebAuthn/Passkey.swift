/// A registered passkey: all that is needed to verify its assertions.
///
/// Standard: Web Authentication Level 3 §4 (credential record).
public struct Passkey: Sendable, Equatable {
    /// The name that the authenticator gave it.
    public let id: CredentialID
    /// Its public key.
    public let key: COSEKey
    /// The person, as authenticators know them.
    public let userHandle: UserHandle
    /// Whether the key may be backed up.
    public let isBackupEligible: Bool
    /// The signature count of the key when it was last seen.
    public var counter: UInt32
    /// Whether the key was backed up when it was last seen.
    public var isBackedUp: Bool
    /// The transports of the authenticator, such as `internal` or `usb`.
    public let transports: [String]

    /// A passkey, read back from a store.
    public init(
        id: CredentialID,
        key: COSEKey,
        userHandle: UserHandle,
        isBackupEligible: Bool,
        counter: UInt32,
        isBackedUp: Bool,
        transports: [String]
    ) {
        self.id = id
        self.key = key
        self.userHandle = userHandle
        self.isBackupEligible = isBackupEligible
        self.counter = counter
        self.isBackedUp = isBackedUp
        self.transports = transports
    }
}
