/// The number that a requesting screen shows during an approval, and that the person types on the approving device.
///
/// It ties the person to the screen at that moment: a link can be sent on, but the number is drawn only when an
/// approver has taken the request. It is no secret beyond that.
public struct VerificationNumber: Identifier {
    /// The digits.
    public let rawValue: String
    /// Creates a number from any text; ``init(parsing:)`` checks it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a number.
    ///
    /// - Parameter text: One to eight ASCII digits; `nil` is returned for anything else.
    public init?(parsing text: String) {
        guard (1...8).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        rawValue = text
    }
}
