/// A client's wish that the server holds its request open for a while, so that it need not poll.
///
/// Standard: RFC 7240 §4.3 (`Prefer: wait=<seconds>`).
public struct WaitPreference: Sendable, Equatable {
    /// The longest time to wait, in whole seconds, at least one.
    public let seconds: Int

    /// Creates a preference.
    ///
    /// - Parameter seconds: Whole seconds; `nil` is returned for zero or less.
    public init?(seconds: Int) {
        guard seconds > 0 else { return nil }
        self.seconds = seconds
    }

    /// Finds the preference in the values of a request's `Prefer` headers; the first one counts.
    ///
    /// A preference that cannot be read is ignored, as the standard requires.
    ///
    /// - Parameter headers: One text per header; `nil` is returned when none has a `wait` with a positive whole number
    ///   of at most nine digits.
    public init?(parsing headers: [String]) {
        for preference in headers.flatMap({ split($0[...], at: UInt8(ascii: ",")) }) {
            // Parameters of a preference follow a semicolon; `wait` defines none.
            let head = split(preference, at: UInt8(ascii: ";"))[0]
            let parts = head.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard trimmed(parts[0]).lowercased() == "wait" else { continue }
            guard parts.count == 2 else { return nil }
            var value = trimmed(parts[1])
            if value.count >= 2, value.first == "\"", value.last == "\"" { value = value.dropFirst().dropLast() }
            guard (1...9).contains(value.utf8.count), value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let seconds = Int(value)
            else { return nil }
            self.init(seconds: seconds)
            return
        }
        return nil
    }

    /// The value of a `Prefer` or `Preference-Applied` header.
    public var headerValue: String { "wait=\(seconds)" }
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
