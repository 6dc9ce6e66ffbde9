/// What a device calls itself: 1 to 64 bytes of UTF-8, which anybody can claim.
public struct PeerName: Sendable, Hashable {
    package static let longest = 64

    /// The name as it was sent.
    public let asSaid: String

    /// Takes over a name; `nil` when it is empty or too long.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count) else { return nil }
        asSaid = text
    }

    /// The longest name that `text` gives: what is too long is cut, between two characters.
    public init?(cutting text: String) {
        var text = text[...]
        while text.utf8.count > Self.longest { text.removeLast() }
        self.init(String(text))
    }

    /// The name as a screen may show it: without what has no shape of its own, or turns the rest of the line round.
    public var shown: String {
        asSaid.shownInOneLine
    }

    /// Whether a person would take the two for one name.
    func resembles(_ other: PeerName) -> Bool {
        let (left, right) = (Self.essence(of: self), Self.essence(of: other))
        return left == right
    }

    private static func essence(of name: PeerName) -> String {
        name.shown.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

extension String {
    /// The text without what has no shape of its own, or turns the rest of the line round.
    var shownInOneLine: String {
        let scalars = unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: !scalar.properties.isBidiControl
            }
        }
        let text = String(String.UnicodeScalarView(scalars))
        return text.allSatisfy(\.isWhitespace) ? "?" : text
    }
}
