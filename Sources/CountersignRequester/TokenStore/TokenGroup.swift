public import Countersign

/// The name by which apps of one person share stored items; an app with another name does not see them.
///
/// On Apple's systems it is the Keychain's access group, which the system enforces. On Linux every program of a person
/// can read every file of that person, so a group separates only well-behaved apps.
public struct TokenGroup: Identifier {
    /// The name.
    public let rawValue: String
    /// Creates a name from any text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The group of an app that names none.
    public static let standard = Self("default")
}

extension TokenGroup {
    /// A file name that no other group has, whatever characters this one's name has.
    var fileName: String {
        let isPlain =
            (1...64).contains(rawValue.utf8.count) && rawValue.first != "."
            && rawValue.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
            }
        // Other names become their digest, behind a character that no plain name has.
        return isPlain ? rawValue : "~\(URLSafeText.encode(SecretDigest(of: rawValue).bytes.prefix(18)))"
    }
}
