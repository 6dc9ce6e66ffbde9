public import FoundationEssentialsCompat

/// A person with an account at this server.
public struct Person: Sendable, Equatable {
    /// The identifier in tokens; it never changes.
    public let subject: Subject
    /// The user name for signing in.
    public let username: Username
    /// The display name, which apps with `profile` or `openid` receive.
    public var name: String
    /// The e-mail address, which apps with `email` receive; `nil` when it is unknown.
    public private(set) var email: String?
    /// Whether the address is known to be the person's: they may sign in by it, and get mails there.
    ///
    /// Standard: OpenID Connect Core 1.0 §5.1 (`email_verified`).
    public private(set) var isEmailVerified: Bool
    /// The code for the address that the person is verifying; `nil` for none.
    public var emailVerification: SentCode<EmailAddress>?
    /// The further facts that apps may learn.
    public var profile: PersonProfile
    /// The hash of the password; `nil` for a person without a password.
    public var password: PasswordHash?
    /// The time of the last change of the password; `nil` for the one that the account began with.
    public var passwordChanged: Date?
    /// The keyed digest of the user code for requests over the back channel; `nil` when the person chose none.
    ///
    /// Standard: OpenID CIBA Core 1.0 §7.1 (`user_code`).
    public var backchannelUserCode: SecretDigest?
    /// The standing. One other than leaving takes back a removal that was asked for.
    public var standing: Policy.Standing { didSet { if standing != .leaving { removal = nil } } }
    /// The time from which on the account is removed, as its person asked for; `nil` for never.
    public private(set) var removal: Date?
    /// The rights at the pages of administrators.
    public var role: PersonRole
    /// The time of the account's creation.
    public let created: Date

    /// Creates an account to add.
    public init(
        subject: Subject,
        username: Username,
        name: String,
        email: String? = nil,
        isEmailVerified: Bool = false,
        emailVerification: SentCode<EmailAddress>? = nil,
        profile: PersonProfile = PersonProfile(),
        password: PasswordHash?,
        passwordChanged: Date? = nil,
        backchannelUserCode: SecretDigest? = nil,
        standing: Policy.Standing = .active,
        removal: Date? = nil,
        role: PersonRole = .user,
        created: Date
    ) {
        self.subject = subject
        self.username = username
        self.name = name
        self.email = email
        self.isEmailVerified = isEmailVerified && email != nil
        self.emailVerification = emailVerification
        self.profile = profile
        self.password = password
        self.passwordChanged = passwordChanged
        self.backchannelUserCode = backchannelUserCode
        self.standing = standing
        self.removal = standing == .leaving ? removal : nil
        self.role = role
        self.created = created
    }

    /// The verified e-mail address; `nil` for none.
    package var verifiedEmail: EmailAddress? {
        isEmailVerified ? email.flatMap { EmailAddress(parsing: $0) } : nil
    }

    /// Replaces the password.
    ///
    /// - Parameters:
    ///   - password: The hash of the new password.
    ///   - now: The current time.
    package mutating func changePassword(to password: PasswordHash, at now: Date) {
        self.password = password
        passwordChanged = now
    }

    /// Replaces the e-mail address. Another address is not verified because the earlier one was, and ends a
    /// verification that was begun.
    ///
    /// - Parameters:
    ///   - address: The address; `nil` for none.
    ///   - isVerified: Whether it is known to be the person's; `nil`, the default, keeps the knowledge about the same
    ///     address.
    package mutating func changeEmail(to address: String?, isVerified: Bool? = nil) {
        let isSame = address != nil && address == email
        if !isSame { emailVerification = nil }
        email = address
        isEmailVerified = address != nil && (isVerified ?? (isSame && isEmailVerified))
    }

    /// Whether the e-mail address is that of another record, whatever the case of its letters, and as well known to be
    /// the person's.
    package func hasSameEmail(as other: Person) -> Bool {
        isEmailVerified == other.isEmailVerified && hasSameAddress(as: other)
    }

    /// The e-mail address, if an earlier record of the person has another one, or this one without its verification;
    /// `nil` for none.
    package func newEmail(since earlier: Person?) -> EmailAddress? {
        if let earlier, hasSameAddress(as: earlier), earlier.isEmailVerified || !isEmailVerified { return nil }
        return email.flatMap { EmailAddress(parsing: $0) }
    }

    private func hasSameAddress(as other: Person) -> Bool {
        email.map { EmailAddress(rawValue: $0).folded } == other.email.map { EmailAddress(rawValue: $0).folded }
    }

    /// Whether the person may do everything at the pages of administrators.
    package var isAdministrator: Bool { role == .operator }

    /// Marks the account for removal.
    package mutating func leave(at instant: Date) {
        standing = .leaving
        removal = instant
    }

    /// Whether the person may sign in, act and receive requests.
    package var isActive: Bool { standing == .active }

    /// Whether the person may prove who they are at a browser: one who is leaving may, to keep the account.
    package var maySignIn: Bool { standing == .active || standing == .leaving }
}
