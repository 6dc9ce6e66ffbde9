internal import Foundation

/// The name by which a person signs in: lower-case, 1 to 64 letters, digits and `._-@+`.
public struct Username: Identifier {
    public let rawValue: String

    /// Takes over a name that was parsed before.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads what somebody typed, in any case and with spaces around; `nil` when it is no user name.
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
