/// A client's wish to hold a request open for a while instead of asking again.
///
/// Standard: RFC 7240 §4.3 (`Prefer: wait=<seconds>`).
public struct WaitPreference: Sendable, Equatable {
    /// How long to wait at most, in whole seconds, at least one.
    public let seconds: Int

    public init?(seconds: Int) {
        guard seconds > 0 else { return nil }
        self.seconds = seconds
    }

    /// Finds the preference in the values of a request's `Prefer` headers; the first one counts.
    ///
    /// Returns `nil` when there is none, or when its value is no whole number of seconds: a preference that cannot
    /// be read is ignored, as the standard asks.
    public init?(parsing headers: [String]) {
        for preference in headers.flatMap({ $0.split(separator: ",") }) {
            // Parameters of a preference follow a semicolon; `wait` defines none.
            let head = preference.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)[0]
            let parts = head.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, trimmed(parts[0]).lowercased() == "wait" else { continue }
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

/// `text` without the spaces and tabs around it.
func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
}
