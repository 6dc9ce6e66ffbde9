/// An e-mail address, such as `o'neil@example.org`.
///
/// Quoted names and literal addresses of hosts, which are not in use, are refused. Standard: RFC 5322 §3.2.3
/// (`dot-atom`), §3.4.1; RFC 5321 §4.5.3.1; RFC 6531 §3.3 (letters of other scripts).
public struct EmailAddress: Identifier {
    /// The most bytes of an address. Standard: RFC 5321 §4.5.3.1.3, without the angle brackets.
    package static let longest = 254

    /// The address as it was written.
    public let rawValue: String

    /// Creates an address from text that was parsed before; nothing is checked.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads an address as a person typed it, with white space around it.
    ///
    /// - Parameter text: The text as it was typed; `nil` is returned for anything but one name, one `@` and one host,
    ///   and for more than 254 bytes.
    public init?(parsing text: String) {
        guard text.utf8.count <= 4 * Self.longest else { return nil }
        let address = TypedText.trimmed(text)
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard address.utf8.count <= Self.longest, parts.count == 2, (1...64).contains(parts[0].utf8.count),
            Self.isDotted(parts[0], of: Self.isAtomText),
            Self.isDotted(parts[1], of: { $0 == "-" || Self.isLetterOrDigit($0) }),
            parts[1].split(separator: ".").allSatisfy({
                $0.utf8.count <= 63 && !$0.hasPrefix("-") && !$0.hasSuffix("-")
            })
        else { return nil }
        rawValue = address
    }

    /// The form for comparing two addresses: upper and lower case of ASCII count alike.
    package var folded: String {
        String(decoding: rawValue.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Whether a part is words with single dots between them.
    private static func isDotted(_ part: Substring, of isAllowed: (Unicode.Scalar) -> Bool) -> Bool {
        part.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.unicodeScalars.allSatisfy(isAllowed)
        }
    }

    /// Standard: RFC 5322 §3.2.3 (`atext`).
    private static func isAtomText(_ scalar: Unicode.Scalar) -> Bool {
        isLetterOrDigit(scalar) || "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
            .decimalNumber:
            return true
        default: return false
        }
    }
}
