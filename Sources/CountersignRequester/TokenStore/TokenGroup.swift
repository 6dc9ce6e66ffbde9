public import Countersign

/// The name of a store that apps of one person share; apps with another name do not see its items.
public struct TokenGroup: Identifier {
    /// The name.
    public let rawValue: String

    /// A group by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The group of an app that names none.
    public static let standard = Self("default")
}

extension TokenGroup {
    /// A name for files that no other group has, whatever characters this one's name holds.
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
