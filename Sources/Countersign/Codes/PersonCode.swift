/// The short code that a person gets where they are signed in, and types on the screen that they want to sign in.
///
/// It has eight digits, which a keyboard of numbers types, and starts one request for its person within minutes. The
/// server limits guessing, and stores it under a key only: its ``digest`` is no protection, because all codes could be
/// tried.
///
/// ```swift
/// let code = PersonCode(parsing: " 1234 5678 ")
/// let shown = code?.grouped                   // "1234 5678"
/// ```
///
/// Standard: RFC 10027 §6.1.15 for the order, in which a person authenticates before the request begins.
public struct PersonCode: Secret {
    /// The number of digits of a code.
    public static let length = 8

    /// The digits, without a space.
    public let revealed: String
    /// Creates a code from its digits; ``init(parsing:)`` checks them.
    public init(revealing text: String) { revealed = text }

    /// Reads a code as a person typed it.
    ///
    /// White space and dashes are ignored, and digits of every script are read.
    ///
    /// - Parameter text: The text as it was typed, at most 128 Unicode scalars.
    /// - Returns: `nil` when anything but eight digits is left.
    public init?(parsing text: String) {
        guard text.unicodeScalars.count <= TypedText.longest, let digits = TypedText.digits(text),
            digits.utf8.count == Self.length
        else { return nil }
        revealed = digits
    }

    /// The form that a person reads: `1234 5678`.
    public var grouped: String { "\(revealed.prefix(Self.length / 2)) \(revealed.dropFirst(Self.length / 2))" }
}
