/// The part of a link to a request that changes each minute, so that a link that was sent on is soon of no use.
///
/// An addition of Countersign: it is the parameter ``parameter`` of the link, and pending answers bring the next one.
public struct LinkMark: Identifier {
    /// The parameter of the link that contains it.
    public static let parameter = "at"

    /// The characters of the mark.
    public let rawValue: String
    /// Creates a mark from any text; ``init(parsing:)`` checks it.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a mark.
    ///
    /// - Parameter text: One to 64 characters of base64url; `nil` is returned for anything else.
    public init?(parsing text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isPlain) else { return nil }
        rawValue = text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
