/// The set of possible codes: its size, and the digits of each code.
public struct CodeSpace: Sendable, Equatable {
    /// A million: six digits.
    public static let standard = CodeSpace(digits: 6)

    /// The number of codes.
    public let size: UInt64
    /// The number of digits of each; leading zeros are kept.
    public let digits: Int

    /// Creates a space. A smaller one makes guessing easy; tests that count guesses use it.
    package init(digits: Int) {
        self.digits = digits
        size = (0..<digits).reduce(1) { size, _ in size * 10 }
    }

    package func code(_ number: UInt64) -> LinkCode {
        let text = String(number % size)
        return LinkCode(digits: String(repeating: "0", count: max(0, digits - text.count)) + text)
    }

    /// Reads a code as a person typed it, in the digits of any script, in groups; `nil` for anything else.
    ///
    /// - Parameter text: The text, as it was typed.
    public func code(typed text: String) -> LinkCode? {
        guard let typed = TypedText.digits(text), typed.utf8.count == digits else { return nil }
        return LinkCode(digits: typed)
    }
}

/// The digits that the requester shows and the person types at the approver.
///
/// They are valid in one connection only, until they are typed; still they print as redacted.
public struct LinkCode: Sendable, Equatable, Redacted {
    /// The digits, for the screen that shows them.
    public let revealed: String

    /// A code of digits that are known to fit the space.
    init(digits: String) { revealed = digits }

    /// The digits in two groups, as people read them.
    public var shown: String {
        let half = revealed.count / 2
        return "\(revealed.prefix(half)) \(revealed.dropFirst(half))"
    }

    /// Compares in constant time.
    public static func == (left: LinkCode, right: LinkCode) -> Bool {
        ConstantTime.areSame(left.revealed, right.revealed)
    }
}
