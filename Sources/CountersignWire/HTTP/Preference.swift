/// One preference of a `Prefer` header.
///
/// Standard: RFC 7240 §2.
struct Preference: Sendable, Equatable {
    /// Its value without quotes; `nil` for a preference without one.
    let value: String?

    /// The first preference with a name; later ones do not count.
    static func first(named name: String, in headers: [String]) -> Preference? {
        for preference in headers.flatMap({ split($0[...], at: UInt8(ascii: ",")) }) {
            // Parameters of a preference follow a semicolon; the supported preferences define none.
            let head = split(preference, at: UInt8(ascii: ";"))[0]
            let parts = head.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard trimmed(parts[0]).lowercased() == name else { continue }
            guard parts.count == 2 else { return Preference(value: nil) }
            var value = trimmed(parts[1])
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            return Preference(value: String(value))
        }
        return nil
    }
}

/// The parts of `text` between separators; a separator inside a quoted string does not count.
///
/// Standard: RFC 9110 §5.6.4 (`quoted-string`).
private func split(_ text: Substring, at separator: UInt8) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var quoted = false
    var escaped = false
    for index in text.utf8.indices {
        switch text.utf8[index] {
        case _ where escaped: escaped = false
        case UInt8(ascii: "\\") where quoted: escaped = true
        case UInt8(ascii: "\""): quoted.toggle()
        case separator where !quoted:
            parts.append(text[start..<index])
            start = text.utf8.index(after: index)
        default: break
        }
    }
    return parts + [text[start...]]
}

/// `text` without the spaces and tabs around it.
func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
}
