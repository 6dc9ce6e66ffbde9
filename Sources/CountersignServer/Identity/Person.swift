public import Countersign
public import Foundation

/// Somebody with an account at this server.
public struct Person: Sendable, Equatable, Codable {
    public let subject: Subject
    public let username: Username
    /// The name that is shown, and given to apps that were granted `profile` or `openid`.
    public var name: String
    public var email: String?
    public var password: PasswordHash
    public var standing: Policy.Standing
    /// Whether they may see and change at this server what is not theirs.
    public var isAdministrator: Bool
    public let created: Date

    public init(
        subject: Subject,
        username: Username,
        name: String,
        email: String? = nil,
        password: PasswordHash,
        standing: Policy.Standing = .active,
        isAdministrator: Bool = false,
        created: Date
    ) {
        self.subject = subject
        self.username = username
        self.name = name
        self.email = email
        self.password = password
        self.standing = standing
        self.isAdministrator = isAdministrator
        self.created = created
    }
}
