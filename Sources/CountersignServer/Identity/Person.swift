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
    public let created: Date

    public init(
        subject: Subject,
        username: Username,
        name: String,
        email: String? = nil,
        password: PasswordHash,
        standing: Policy.Standing = .active,
        created: Date
    ) {
        self.subject = subject
        self.username = username
        self.name = name
        self.email = email
        self.password = password
        self.standing = standing
        self.created = created
    }
}

/// The name by which a person signs in: lower-case, 1 to 64 letters, digits and `._-@+`.
public struct Username: Identifier {
    public let rawValue: String

    /// Takes over a name that was parsed before.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads what somebody typed, in any case and with spaces around; `nil` when it is no user name.
    public init?(parsing text: String) {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        let allowed = name.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "._-@+".unicodeScalars.contains(scalar)
        }
        guard allowed, (1...64).contains(name.count), name.utf8.count <= 256 else { return nil }
        rawValue = name.precomposedStringWithCanonicalMapping
    }
}

/// A password as it is stored: a slow hash with its own salt and costs.
///
/// The text is in the PHC string form, `$scrypt$ln=17,r=8,p=1$salt$hash`.
public struct PasswordHash: Sendable, Equatable, Codable, CustomStringConvertible {
    package let text: String

    package init(restoring text: String) {
        self.text = text
    }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }

    public var description: String { "PasswordHash(redacted)" }
}
