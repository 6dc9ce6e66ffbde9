/// The encoding of the characters that a terminal shows, by its locale.
struct LocaleEncoding: Sendable, Equatable {
    /// Whether the terminal shows all of Unicode.
    let isUTF8: Bool

    /// The encoding that the environment names: `LC_ALL` comes before `LC_CTYPE`, and that before `LANG`.
    ///
    /// Standard: POSIX.1-2024, Base Definitions §8.2.
    init(_ environment: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        isUTF8 = locale?.lowercased().replacing("-", with: "").contains("utf8") ?? false
    }

    /// The text with plain characters in place of the decorated ones of sentences. The letters of names stay as they
    /// are: there is no better spelling of them.
    func legible(_ text: String) -> String {
        guard !isUTF8, text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        return text.unicodeScalars.reduce(into: "") { plain, scalar in
            if let spelling = Self.spellings[scalar] {
                plain += spelling
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
    }

    private static let spellings: [Unicode.Scalar: String] = [
        "‘": "'", "’": "'", "‚": "'", "“": "\"", "”": "\"", "„": "\"", "…": "...", "–": "-", "—": "-", "•": "*",
        "·": "*", "→": "->", "←": "<-", "×": "x", "\u{A0}": " ", "\u{202F}": " ", "\u{FFFD}": "?",
    ]
}
