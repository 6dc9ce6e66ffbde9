public import FoundationEssentialsCompat

/// A link that lets the person who has it do one thing, once.
///
/// The link contains a secret, of which only the digest is stored.
public struct ActionLink: Sendable, Equatable {
    /// The one thing that a link permits.
    public enum Act: Sendable, Equatable {
        /// It sets the password of an existing person.
        case passwordReset
        /// It creates a person, with this e-mail address; `nil` for a person without.
        case invitation(EmailAddress?)
    }

    /// The digest of its secret.
    public let digest: SecretDigest
    /// The person: of a reset, the one whose password it sets; of an invitation, the one that it creates.
    public let subject: Subject
    /// The thing that it permits.
    public let act: Act
    /// The time of its creation.
    public let created: Date
    /// The expiry.
    public let expires: Date
    /// The time of its use; `nil` for an unused link.
    public var used: Date?

    /// Creates a link to store.
    public init(
        digest: SecretDigest, to act: Act, for subject: Subject, created: Date, expires: Date, used: Date? = nil
    ) {
        self.digest = digest
        self.act = act
        self.subject = subject
        self.created = created
        self.expires = expires
        self.used = used
    }

    /// The position of a link in the list of invitations, which is the same after its end.
    public struct Position: Sendable, Hashable {
        /// The time of the link's creation.
        public let created: Date
        /// The person of the link.
        public let subject: Subject

        /// Creates a position.
        public init(created: Date, subject: Subject) {
            self.created = created
            self.subject = subject
        }
    }

    /// The position in the list of invitations.
    public var position: Position { Position(created: created, subject: subject) }
}
