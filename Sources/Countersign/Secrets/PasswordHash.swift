internal import FoundationEssentialsCompat

/// A stored password: the result of a slow hash function, with its salt and cost.
///
/// The server writes the PHC string form, `$scrypt$ln=17,r=8,p=1$salt$hash`. A hash of another system that was imported
/// stays in its own form until the person signs in. It prints as redacted.
public struct PasswordHash: Sendable, Equatable, Codable, Redacted {
    package let text: String

    package init(restoring text: String) { self.text = text }

    /// Reads the stored text; its form is examined when a password is verified.
    ///
    /// - Throws: `DecodingError` when the value is not a string.
    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    /// Writes the stored text as a string.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}

extension PasswordHash {
    package init(_ kind: PasswordHashKind) { self.init(restoring: kind.text) }

    /// The function with its salt, cost and hash; `nil` for a text that is damaged or costs too much.
    package var kind: PasswordHashKind? { try? PasswordHashKind(parsing: text) }
}
