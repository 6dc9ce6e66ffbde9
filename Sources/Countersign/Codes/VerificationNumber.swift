/// The number that a requesting screen shows during an approval, and that the person types on the approving device.
///
/// It ties the person to the screen at that moment: a link can be sent on, but the number is drawn only when an
/// approver has taken the request. It is no secret beyond that. Wherever digits are matched they are such a number: of a
/// link, of a request over the back channel, and of a customer's site.
public struct VerificationNumber: Identifier {
    /// The number of digits of every number.
    public static let length = 2

    /// The digits.
    public let rawValue: String
    /// Creates a number from any text; ``init(parsing:)`` checks it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a number.
    ///
    /// - Parameter text: As many ASCII digits as ``length``; `nil` is returned for anything else.
    public init?(parsing text: String) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        rawValue = text
    }

    /// The number in the words of pages, apps and the command.
    package static let words = "number that is shown where you started (\(length) digits)"
}
