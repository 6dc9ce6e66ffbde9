public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A person with an account at this server.
public struct Person: Sendable, Equatable {
    /// The identifier in tokens; it never changes.
    public let subject: Subject
    /// The name that the person signs in with.
    public let username: Username
    /// The name that is shown, and given to apps that were granted `profile` or `openid`.
    public var name: String
    /// The e-mail address, given to apps that were granted `email`; `nil` when none is known.
    public var email: String?
    /// The hash of the password; `nil` for a person who signs in with other providers only.
    public var password: PasswordHash?
    /// The digest of the code without which the person is asked nothing over the back channel, made with a key of the
    /// server; `nil` when they chose none.
    ///
    /// Standard: OpenID CIBA Core 1.0 §7.1 (`user_code`).
    public var backchannelUserCode: SecretDigest?
    /// Whether the person may do anything, or is locked.
    public var standing: Policy.Standing
    /// Whether the person may manage services at this server that are not their own.
    public var isAdministrator: Bool
    /// The time of the account's creation.
    public let created: Date

    /// Creates an account to add.
    public init(
        subject: Subject,
        username: Username,
        name: String,
        email: String? = nil,
        password: PasswordHash?,
        backchannelUserCode: SecretDigest? = nil,
        standing: Policy.Standing = .active,
        isAdministrator: Bool = false,
        created: Date
    ) {
        self.subject = subject
        self.username = username
        self.name = name
        self.email = email
        self.password = password
        self.backchannelUserCode = backchannelUserCode
        self.standing = standing
        self.isAdministrator = isAdministrator
        self.created = created
    }

    /// Whether the person may sign in, be asked and act: the account is not locked.
    package var isActive: Bool { standing == .active }
}
