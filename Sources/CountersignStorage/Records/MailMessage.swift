/// A mail of the server to one address; its words are made when it is sent, in the language of its receiver.
///
/// A code or link that it carries is not part of it: the queue seals it (``MailSecret``).
public struct MailMessage: Sendable, Equatable, Codable {
    /// The subject of a mail.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A code and a link that verify an address.
        case addressVerification = "address_verification"
        /// A link to choose a new password.
        case passwordReset = "password_reset"
        /// A link to open an account.
        case invitation
        /// A screen, app or device was added to the account; `device` is its name.
        case newDevice = "new_device"
        /// The password was changed.
        case passwordChanged = "password_changed"
        /// Another address has replaced this one, which is `address`.
        case addressChanged = "address_changed"
        /// A passkey was removed.
        case passkeyRemoved = "passkey_removed"
        /// The one-time passwords were turned off.
        case oneTimePasswordsRemoved = "one_time_passwords_removed"
        /// An operator removed all passkeys and one-time passwords.
        case factorsRemoved = "factors_removed"
        /// The account is marked for removal; `day` is the date.
        case accountRemoval = "account_removal"
        /// The account that was marked for removal is kept.
        case accountKept = "account_kept"
    }

    /// The subject.
    public let kind: Kind
    /// The address of the receiver.
    public let address: EmailAddress
    /// The receiver, with whose account it is removed, or the one whom an invitation creates; `nil` for neither.
    public let person: Subject?
    /// The name of the receiver for the head of the mail; `nil` for none.
    public let name: String?
    /// The tag of the receiver's language (RFC 5646); `nil` for that of the server.
    public let language: String?
    /// The values of the names in the words, which may be read in the store; without any by default.
    public let values: [String: String]
    /// Whether it was counted, so that it is given back if it is not delivered; `nil`, at first, for one that was not.
    package var isCounted: Bool?

    /// Creates a message that is not counted.
    public init(
        _ kind: Kind, to address: EmailAddress, of person: Subject? = nil, name: String? = nil, language: String? = nil,
        values: [String: String] = [:]
    ) {
        self.kind = kind
        self.address = address
        self.person = person
        self.name = name
        self.language = language
        self.values = values
    }
}

/// The code and the link of a mail, which whoever reads it may use.
public struct MailSecret: Sendable, Equatable, Redacted {
    /// The address of a page; `nil` for none.
    public let link: String?
    /// The code to type; `nil` for none.
    public let code: String?

    /// The person who is expected to type the code; `nil` for a link that says by itself whose it is.
    package let subject: Subject?

    /// Creates a secret.
    public init(link: String? = nil, code: String? = nil) {
        self.init(link: link, code: code, of: nil)
    }

    /// Creates the secret of a person.
    package init(link: String?, code: String?, of subject: Subject?) {
        self.link = link
        self.code = code
        self.subject = subject
    }
}
