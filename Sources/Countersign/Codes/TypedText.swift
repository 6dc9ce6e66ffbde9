internal import Foundation

/// Text that a person types or pastes: the only definition of its significant characters.
///
/// Keyboards and clipboards add characters that mean nothing: contact lists and right-to-left pages put direction marks
/// around numbers, web pages break long codes with soft hyphens, a Japanese keyboard types full-width letters, and
/// people write digits in groups. All codes, one-time passwords and numbers are parsed by this function.
package enum TypedText {
    /// The most that is read of a text, in Unicode scalars.
    package static let longest = 128

    /// The characters of a code or number: in their compatibility form (NFKC), with the digits 0 to 9 in place of those
    /// of other scripts, without white space, dashes and what has no width.
    ///
    /// Every other character stays, so that a wrong code does not become a right one.
    ///
    /// - Parameters:
    ///   - text: The text as it was typed; it is read up to ``longest``.
    ///   - separators: Further characters that only part groups; none by default.
    package static func folded(_ text: String, skipping separators: String = "") -> String {
        let read = String.UnicodeScalarView(text.unicodeScalars.prefix(longest))
        // Before the compatibility form too: a mark within a character would keep it apart.
        let kept = String(String.UnicodeScalarView(read.filter { !isSkipped($0) }))
        let isPlain = kept.utf8.allSatisfy { $0 < 0x80 }
        let folded = isPlain ? kept : kept.precomposedStringWithCompatibilityMapping
        return folded.reduce(into: "") { characters, character in
            if let digit = digit(character) {
                characters += String(digit)
            } else if !separators.contains(character), !character.unicodeScalars.allSatisfy(isSkipped) {
                characters.append(character)
            }
        }
    }

    /// The digits of a code or number; `nil` when they contain anything else.
    package static func digits(_ text: String) -> String? {
        let folded = folded(text)
        return folded.utf8.allSatisfy { (0x30...0x39).contains($0) } ? folded : nil
    }

    /// The text without white space and characters of no width around it.
    ///
    /// - Parameter text: The text as it was typed, such as a name or an address; the characters between count as they
    ///   are.
    package static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let isPadding = { (scalar: Unicode.Scalar) in isZeroWidth(scalar) || scalar.properties.isWhitespace }
        guard let first = scalars.firstIndex(where: { !isPadding($0) }),
            let last = scalars.lastIndex(where: { !isPadding($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    /// The lines of a text that are not empty, each without white space and characters of no width around it.
    package static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { trimmed(String($0)) }.filter { !$0.isEmpty }
    }

    /// The value of a digit of any script; `nil` for every other character.
    private static func digit(_ character: Character) -> Int? {
        character.wholeNumberValue.flatMap { (0...9).contains($0) ? $0 : nil }
    }

    /// Whether a character only parts groups, or is nothing that a person sees.
    private static func isSkipped(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || isZeroWidth(scalar) || isDash(scalar)
    }

    /// Whether a character has no shape: marks of direction, joiners, soft hyphens, byte order marks and the like.
    private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isDefaultIgnorableCodePoint }

    /// Whether a character is a dash of a keyboard or of typography, the minus sign, or the sign for long vowels that a
    /// Japanese keyboard types in its place.
    private static func isDash(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .dashPunctuation || [0x2212, 0x30FC, 0xFF70].contains(scalar.value)
    }
}
