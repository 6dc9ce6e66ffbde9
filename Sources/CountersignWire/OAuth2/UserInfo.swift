/// The facts that a client may know of the person, depending on the granted scope.
///
/// Standard: OpenID Connect Core 1.0 §5.1, §5.3.2.
public struct UserInfo: Sendable, Equatable, Codable {
    /// The person (`sub`).
    public let subject: Subject
    /// The person's name, with the scope `profile`.
    public var name: String?
    /// The name that the person signs in with (`preferred_username`), with the scope `profile`.
    public var preferredUsername: String?
    /// The person's e-mail address, with the scope `email`.
    public var email: String?

    /// Creates an answer that names only the person.
    public init(subject: Subject) { self.subject = subject }

    enum CodingKeys: String, SnakeCaseKey {
        case name, email, preferredUsername
        case subject = "sub"
    }
}
