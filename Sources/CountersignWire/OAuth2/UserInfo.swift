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
    /// Whether the server knows that the address is the person's (`email_verified`); `nil` without an address.
    public var emailVerified: Bool?
    /// The person's language, as in `de-AT`, with the scope `profile`.
    public var locale: String?
    /// The person's time zone (`zoneinfo`), as in `Europe/Vienna`, with the scope `profile`.
    public var zoneInfo: String?
    /// The time of the last change of these facts (`updated_at`), in whole seconds since 1970, with the scope `profile`.
    public var updated: Int?
    /// The person's groups, with the scope `groups`, and the claims that the operator declared.
    public var additional = AdditionalClaims()

    /// Creates an answer that names only the person.
    public init(subject: Subject) { self.subject = subject }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case subject = "sub"
        case name, email, locale
        case preferredUsername = "preferred_username"
        case emailVerified = "email_verified"
        case zoneInfo = "zoneinfo"
        case updated = "updated_at"
    }

    /// Reads an answer. An `email_verified` may be text, as one provider writes it; it, a language, a time zone and a
    /// time of another kind are left out.
    ///
    /// - Throws: `DecodingError` without a `sub`, and for a name or an address that is no text.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        subject = try members.decode(Subject.self, forKey: .subject)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        preferredUsername = try members.decodeIfPresent(String.self, forKey: .preferredUsername)
        email = try members.decodeIfPresent(String.self, forKey: .email)
        emailVerified =
            (try? members.decode(Bool.self, forKey: .emailVerified))
            ?? (try? members.decode(String.self, forKey: .emailVerified)).map { $0 == "true" }
        locale = try? members.decode(String.self, forKey: .locale)
        zoneInfo = try? members.decode(String.self, forKey: .zoneInfo)
        updated = (try? members.decode(Double.self, forKey: .updated))
            .flatMap { Int(exactly: $0.rounded(.down)) }
        additional = try AdditionalClaims(from: decoder, besides: Set(CodingKeys.allCases.map(\.rawValue)))
    }

    /// Writes an answer.
    ///
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        try additional.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(subject, forKey: .subject)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encodeIfPresent(preferredUsername, forKey: .preferredUsername)
        try members.encodeIfPresent(email, forKey: .email)
        try members.encodeIfPresent(emailVerified, forKey: .emailVerified)
        try members.encodeIfPresent(locale, forKey: .locale)
        try members.encodeIfPresent(zoneInfo, forKey: .zoneInfo)
        try members.encodeIfPresent(updated, forKey: .updated)
    }
}
