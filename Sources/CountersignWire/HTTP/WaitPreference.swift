/// A client's preference that the server holds its request open for a while (`Prefer: wait`), so that it need not poll.
///
/// Standard: RFC 7240 §4.3 (`Prefer: wait=<seconds>`).
public struct WaitPreference: Sendable, Equatable {
    /// The longest time to wait, in whole seconds, at least one.
    public let seconds: Int

    /// Creates a preference.
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
        guard let value = Preference.first(named: "wait", in: headers)?.value,
            (1...9).contains(value.utf8.count), value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int(value)
        else { return nil }
        self.init(seconds: seconds)
    }

    /// The value of a `Prefer` or `Preference-Applied` header.
    public var headerValue: String { "wait=\(seconds)" }
}
