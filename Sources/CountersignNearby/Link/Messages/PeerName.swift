internal import Countersign

/// What a device calls itself: 1 to 64 bytes of UTF-8, which is not verified.
public struct PeerName: Sendable, Hashable {
    /// How many bytes a name may have.
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

    /// The letters and digits of a name, in lower case.
    private static func essence(of name: PeerName) -> String {
        name.shown.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
