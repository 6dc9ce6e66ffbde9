internal import FoundationEssentialsCompat

/// A stored password: the result of a slow hash function, with its salt and cost.
///
/// The text has the PHC string form, `$scrypt$ln=17,r=8,p=1$salt$hash`. It prints as redacted.
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
    /// The fields of the text.
    package struct Parts: Sendable, Equatable {
        /// The cost: N = 2^`logN`, r = 8, p = 1.
        package let logN: Int
        package let salt: [UInt8]
        package let hash: [UInt8]

        package init(logN: Int, salt: [UInt8], hash: [UInt8]) {
            self.logN = logN
            self.salt = salt
            self.hash = hash
        }
    }

    package init(_ parts: Parts) {
        let encode = { (bytes: [UInt8]) in Data(bytes).base64EncodedString().filter { $0 != "=" } }
        self.init(restoring: "$scrypt$ln=\(parts.logN),r=8,p=1$\(encode(parts.salt))$\(encode(parts.hash))")
    }

    /// The cost, salt and hash; `nil` for a form that this version does not write.
    package var parts: Parts? {
        let fields = text.split(separator: "$", omittingEmptySubsequences: true)
        guard fields.count == 4, fields[0] == "scrypt", fields[1].hasPrefix("ln="), fields[1].hasSuffix(",r=8,p=1"),
            let logN = Int(fields[1].dropFirst(3).dropLast(8)), (1...20).contains(logN),
            let salt = Self.decode(fields[2]), let hash = Self.decode(fields[3])
        else { return nil }
        return Parts(logN: logN, salt: salt, hash: hash)
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map { Array($0) }
    }
}
