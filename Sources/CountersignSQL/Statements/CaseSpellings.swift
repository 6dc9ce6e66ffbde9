/// The spellings of a text in upper and lower case, for look-ups by an index in which only the letters of ASCII are
/// folded. Diacritics count.
enum CaseSpellings {
    /// The most spellings of a text; letters beyond are taken as they are.
    private static let most = 16

    /// - Parameter text: A text whose letters of ASCII are in lower case.
    static func of(_ text: String) -> [String] {
        var spellings = [""]
        for character in text {
            let letters = spellings.count * 2 <= most ? cases(of: character) : [String(character)]
            spellings = spellings.flatMap { beginning in letters.map { beginning + $0 } }
        }
        return spellings
    }

    /// Both cases of a letter beyond ASCII; a character without cases as it is. One that another case writes with other
    /// letters, as `ß` with `SS`, has no other case here.
    private static func cases(of character: Character) -> [String] {
        guard !character.isASCII else { return [String(character)] }
        let cases = [character.lowercased(), character.uppercased()]
        let isPair =
            cases[0] != cases[1] && cases.allSatisfy { $0.count == 1 && $0.utf8.first.map { $0 >= 0x80 } == true }
        return isPair ? cases : [String(character)]
    }
}

extension String {
    /// Whether it comes before another text byte by byte, as both engines order texts.
    func isOrdered(before other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
