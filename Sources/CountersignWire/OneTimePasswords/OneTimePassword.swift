/// The number of digits in a one-time password.
///
/// Standard: RFC 4226 §5.3.
public enum OneTimePasswordDigits: Int, Sendable, Hashable, Codable, CaseIterable {
    /// Six digits, which every authenticator shows.
    case six = 6
    /// Seven digits.
    case seven = 7
    /// Eight digits.
    case eight = 8

    /// The number of different passwords.
    var modulus: UInt32 {
        switch self {
        case .six: 1_000_000
        case .seven: 10_000_000
        case .eight: 100_000_000
        }
    }
}

/// A password that is used once: six to eight digits.
public struct OneTimePassword: Secret {
    /// The digits.
    public let revealed: String
    public init(revealing text: String) { revealed = text }

    /// Reads a password as a person typed it, in the digits of any script; spaces, dashes and characters of no width
    /// are ignored.
    ///
    /// - Parameter text: The typed text; `nil` is returned unless six to eight digits are left.
    public init?(parsing text: String) {
        guard text.unicodeScalars.count <= 64 else { return nil }
        guard let digits = TypedText.digits(text), (6...8).contains(digits.utf8.count) else { return nil }
        revealed = digits
    }

    /// The digits in two groups, as a screen shows them: `123 456`.
    public var grouped: String {
        let middle = revealed.count / 2
        return "\(revealed.prefix(middle)) \(revealed.dropFirst(middle))"
    }
}

/// The answer to a one-time password.
public enum OneTimePasswordVerdict: Sendable, Hashable {
    /// It is right, and was computed at this counter or time step; it is not accepted again.
    case accepted(at: UInt64)
    /// It was right, and it or a later one was accepted before.
    case alreadyUsed
    /// It is not among the expected ones.
    case wrong
}
