/// A line of a PAM stack.
///
/// Standard: pam.conf(5).
struct PAMStackLine: Sendable, Equatable {
    /// The type in small letters, such as `auth`. `-auth` is one of `auth` whose module may be missing.
    let type: String
    let control: String
    let module: String
    let arguments: [String]
    /// The number of substacks in which it stands.
    let depth: Int

    /// A line in words; `nil` where it names no module.
    init?(_ words: [Substring], depth: Int = 0) {
        guard words.count > 2 else { return nil }
        type = Self.type(of: words)
        control = String(words[1])
        module = String(words[2])
        self.depth = depth
        arguments = words.dropFirst(3).map { word in
            String(word.hasPrefix("[") && word.hasSuffix("]") ? word.dropFirst().dropLast() : word)
        }
    }

    /// The type of a line in words.
    static func type(of words: [Substring]) -> String {
        (words.first ?? "").drop { $0 == "-" }.lowercased()
    }

    /// The words of a line, without its comment; what stands in brackets is one.
    static func words(of line: Substring) -> [Substring] {
        var (words, rest) = ([Substring](), line.prefix { $0 != "#" })
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard let first = rest.first else { return words }
            let word: Substring
            if first == "[", let end = rest.firstIndex(of: "]") {
                word = rest[...end]
            } else {
                word = rest.prefix { !$0.isWhitespace }
            }
            words.append(word)
            rest = rest[word.endIndex...]
        }
    }
}
