internal import FoundationEssentialsCompat

/// Text in the head of a mail, in lines of at most 76 characters, as encoded words need them.
///
/// Standard: RFC 5322 §2.1.1, §2.2.3, §3.2.4; RFC 2047.
enum HeaderText {
    /// The maximum length of a line, without its end.
    private static let width = 76
    /// The bytes of text in one encoded word: with the name of a field, a line of 76 characters holds it.
    private static let bytesOfWord = 39

    /// The text with a space for each control character and line separator.
    static func singleLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            default: line.append(scalar)
            }
        }
        return String(line)
    }

    /// A quoted string.
    ///
    /// Standard: RFC 5322 §3.2.4.
    static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// A field with text that nobody parses, such as the subject.
    ///
    /// Standard: RFC 5322 §2.2.3, §3.6.5; RFC 2047 §5 (1).
    static func field(_ name: String, _ text: String) -> String {
        let line = singleLine(text)
        return folded(name, isPlain(line) ? words(of: line) : encodedWords(line))
    }

    /// A field with one mailbox.
    ///
    /// Standard: RFC 5322 §3.4; RFC 2047 §5 (3); RFC 6532 §3.2 for an address with letters of other scripts.
    static func field(_ name: String, _ mailbox: Mailbox) -> String {
        let address = "<\(mailbox.address.rawValue)>"
        guard let shown = mailbox.name else { return folded(name, [mailbox.address.rawValue]) }
        return folded(name, (isPlain(shown) ? words(of: quoted(shown)) : encodedWords(shown)) + [address])
    }

    /// Whether text needs no encoded words.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
            && words(of: text).allSatisfy { $0.utf8.count <= 60 }
    }

    /// The words between single spaces. Further spaces belong to the next word.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if word.isEmpty, let last = words.popLast() {
                words.append(last + " ")
            } else {
                words.append(String(word))
            }
        }
        return words
    }

    /// The text in encoded words, none of which divides a scalar.
    ///
    /// Standard: RFC 2047 §2, §4.1, §5.
    private static func encodedWords(_ text: String) -> [String] {
        var chunks: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if (chunks.last?.count ?? 0) + bytes.count > bytesOfWord { chunks.append([]) }
            chunks[chunks.count - 1] += bytes
        }
        return chunks.map { "=?UTF-8?B?\(Base64.encode($0))?=" }
    }

    /// A field whose lines are divided between words.
    private static func folded(_ name: String, _ words: [String]) -> String {
        var lines: [String] = []
        var line = "\(name):"
        var isEmpty = true
        for word in words {
            if !isEmpty, line.utf8.count + 1 + word.utf8.count > width {
                lines.append(line)
                line = ""
            }
            line += " \(word)"
            isEmpty = false
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
