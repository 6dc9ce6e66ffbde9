/// Digits as a person types them: in groups, and in any script.
package enum TypedDigits {
    /// How much of a text is read, in Unicode scalars.
    package static let longest = 64

    /// The text without white space and hyphens, and with the digits 0 to 9 in place of those of other scripts.
    ///
    /// Every other character stays, so that a wrong code does not become a right one.
    ///
    /// - Parameter text: What was typed; it is read up to ``longest``.
    package static func normalized(_ text: String) -> String {
        let read = String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest)))
        return read.reduce(into: "") { digits, character in
            if let digit = digit(character) {
                digits += String(digit)
            } else if !isSeparator(character) {
                digits.append(character)
            }
        }
    }

    /// The value of a digit of any script; `nil` for every other character.
    package static func digit(_ character: Character) -> Int? {
        character.wholeNumberValue.flatMap { (0...9).contains($0) ? $0 : nil }
    }

    /// Whether a character only parts groups of digits: white space, or a hyphen of a keyboard or of typography.
    package static func isSeparator(_ character: Character) -> Bool {
        character.isWhitespace || hyphens.contains(character)
    }

    private static let hyphens: Set<Character> = ["-", "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}"]
}
