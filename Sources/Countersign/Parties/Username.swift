internal import Foundation

/// The name with which a person signs in: lower-case, 1 to 64 letters, digits and `._-@+`.
public struct Username: Identifier {
    /// The name in lower case and in Unicode's composed form (NFC).
    public let rawValue: String

    /// Creates a name from text that was parsed before; nothing is checked.
    ///
    /// - Parameter rawValue: The name as ``init(parsing:)`` accepted it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a name as a person typed it: in any case, with white space around it.
    ///
    /// - Parameter text: What was typed; `nil` is returned for an empty name, more than 64 characters or 256 bytes, or
    ///   a character that is neither a letter, a digit nor one of `._-@+`.
    public init?(parsing text: String) {
        // Made one form first: that may make it longer.
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
            .precomposedStringWithCanonicalMapping
        let allowed = name.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "._-@+".unicodeScalars.contains(scalar)
        }
        guard allowed, (1...64).contains(name.count), name.utf8.count <= 256 else { return nil }
        rawValue = name
    }
}
