package import HTTPTypes

/// The time that a server asks its client to wait before the next request.
///
/// Only the form in seconds is read. The other form is an instant by the server's clock, which a client with another
/// clock cannot use.
/// Standard: RFC 9110 §10.2.3.
public struct RetryAfter: Sendable, Equatable {
    /// Whole seconds, zero or more.
    public let seconds: Int

    /// Creates a delay.
    public init(seconds: Int) { self.seconds = max(0, seconds) }

    /// Reads the value of the header.
    ///
    /// - Parameter value: One to nine digits with optional spaces around; `nil` is returned for anything else.
    public init?(parsing value: String) {
        let digits = trimmed(value[...])
        guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int(digits)
        else { return nil }
        self.seconds = seconds
    }

    /// Reads the delay from the fields of an answer; `nil` when they name none in seconds.
    package init?(in fields: HTTPFields) {
        guard let value = fields[.retryAfter] else { return nil }
        self.init(parsing: value)
    }
}
