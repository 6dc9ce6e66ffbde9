public import Countersign

/// What a client may know of the person, by the scopes that were granted.
///
/// Standard: OpenID Connect Core 1.0 §5.1, §5.3.2.
public struct UserInfo: Sendable, Equatable, Codable {
    public let subject: Subject
    public var name: String?
    public var preferredUsername: String?
    public var email: String?

    public init(subject: Subject) {
        self.subject = subject
    }

    enum CodingKeys: String, CodingKey {
        case subject = "sub"
        case name, email
        case preferredUsername = "preferred_username"
    }
}
