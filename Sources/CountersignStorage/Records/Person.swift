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
    /// The address that the person is verifying; `nil` for none.
    public var emailVerification: EmailVerification?
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
    /// The standing: active or locked.
    public var standing: Policy.Standing
    /// Whether the person may manage the services and sites of the server.
    public var isAdministrator: Bool
    /// The time of the account's creation.
    public let created: Date

    /// Creates an account to add.
    public init(
        subject: Subject,
        username: Username,
        name: String,
        email: String? = nil,
        isEmailVerified: Bool = false,
        emailVerification: EmailVerification? = nil,
        profile: PersonProfile = PersonProfile(),
        password: PasswordHash?,
        passwordChanged: Date? = nil,
        backchannelUserCode: SecretDigest? = nil,
        standing: Policy.Standing = .active,
        isAdministrator: Bool = false,
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
        self.isAdministrator = isAdministrator
        self.created = created
    }

    /// The verified e-mail address; `nil` for none.
    package var verifiedEmail: EmailAddress? {
        isEmailVerified ? email.flatMap { EmailAddress(parsing: $0) } : nil
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

    /// Whether the account is not locked, so that the person may sign in, act and receive requests.
    package var isActive: Bool { standing == .active }
}
