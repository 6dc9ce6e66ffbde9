/// How long a server asks its client to stay away.
///
/// Only the form in seconds is read: the other form is an instant by the server's clock, which says nothing to a
/// client whose clock differs.
/// Standard: RFC 9110 §10.2.3.
public struct RetryAfter: Sendable, Equatable {
    /// Whole seconds, zero or more.
    public let seconds: Int

    public init(seconds: Int) {
        self.seconds = max(0, seconds)
    }

    /// Reads the header's value; `nil` for another form.
    public init?(parsing value: String) {
        let digits = trimmed(value[...])
        guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int(digits)
        else { return nil }
        self.seconds = seconds
    }
}
