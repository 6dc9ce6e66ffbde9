internal import Foundation

/// The name that a person signs in with, such as `anna`, `விஷ்ணு` or `anna@example.org`.
///
/// It has 1 to 64 letters with their marks, digits and `._-@+`; one that is an e-mail address may have what addresses
/// have, and 254 bytes. Standard: RFC 8265 §3.3 (UsernameCaseMapped), RFC 8264 §4.2 (IdentifierClass); fewer ASCII
/// symbols are accepted. Beyond it, a dot above a small `i` is omitted, so that İ and `i` name the same person, as
/// people in Turkey type it.
public struct Username: Identifier {
    /// The name in lower case and in Unicode's composed form (NFC).
    public let rawValue: String

    /// Creates a name from text that was parsed before; nothing is checked.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a name as a person typed it: in any case and width, with white space and marks of direction around it.
    ///
    /// - Parameter text: The text as it was typed; `nil` is returned for an empty name, one that is too long, white
    ///   space, other signs, and letters that imitate others.
    public init?(parsing text: String) {
        guard text.utf8.count <= Self.longestTyped else { return nil }
        let name = Self.mapped(TypedText.trimmed(text))
        guard PrecisIdentifier.isValid(name) else { return nil }
        if EmailAddress(parsing: name) == nil {
            guard Self.hasPlainSigns(name), (1...64).contains(name.count), name.utf8.count <= 256 else { return nil }
        }
        rawValue = name
    }

    /// The beginning of names as it was typed, in the form of stored names.
    package static func beginning(_ text: String) -> String { mapped(TypedText.trimmed(text)) }

    /// The candidate names for typed text, of which the first existing one applies: the form before RFC 8265, for
    /// people with older names, and the current form.
    package static func candidates(for text: String) -> [Username] {
        var names: [Username] = []
        for name in [former(text), Username(parsing: text)].compactMap(\.self) where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// A name as it was read before names followed RFC 8265: letters and digits by other properties of Unicode, and
    /// nothing mapped but case.
    private static func former(_ text: String) -> Username? {
        guard text.utf8.count <= longestTyped else { return nil }
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
            .precomposedStringWithCanonicalMapping
        let allowed = name.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar.isASCII
        }
        guard allowed, hasPlainSigns(name), (1...64).contains(name.count), name.utf8.count <= 256 else { return nil }
        return Username(rawValue: name)
    }

    /// Whether a name has only those signs of ASCII that need no address around them.
    private static func hasPlainSigns(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { scalar in
            !scalar.isASCII || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "._-@+".unicodeScalars.contains(scalar)
        }
    }

    /// The maximum number of bytes of typed text, including spaces around a name.
    private static let longestTyped = 4096

    /// Maps width and case, and composes.
    ///
    /// Standard: RFC 8265 §3.3.2; RFC 8264 §5.2.
    private static func mapped(_ text: String) -> String {
        var narrow = ""
        for scalar in text.unicodeScalars {
            // Only the block of full-width and half-width forms has such a mapping.
            if (0xFF01...0xFFEE).contains(scalar.value) {
                narrow += String(scalar).precomposedStringWithCompatibilityMapping
            } else {
                narrow.unicodeScalars.append(scalar)
            }
        }
        let small = narrow.lowercased().unicodeScalars
        var kept = String.UnicodeScalarView()
        for scalar in small where scalar != "\u{307}" || kept.last != "i" { kept.append(scalar) }
        return String(kept).precomposedStringWithCanonicalMapping
    }
}
