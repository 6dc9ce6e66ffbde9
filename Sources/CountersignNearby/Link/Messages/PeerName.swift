/// The name that a device claims: 1 to 64 bytes of UTF-8, which is not verified.
public struct PeerName: Sendable, Hashable {
    /// The maximum number of bytes of a name.
    package static let longest = 64

    /// The name as it was sent.
    public let asSaid: String

    /// Creates a name; `nil` when it is empty or too long.
    ///
    /// - Parameter text: The name of a device, as its person wrote it.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count) else { return nil }
        asSaid = text
    }

    /// Creates a name from `text`, which is cut between two characters if it is too long.
    ///
    /// - Parameter text: The name of a device, of any length; `nil` is returned when it is empty.
    public init?(cutting text: String) {
        var text = text[...]
        while text.utf8.count > Self.longest { text.removeLast() }
        self.init(String(text))
    }

    /// The name in a form that is safe to show: without invisible characters and bidirectional controls.
    public var shown: String { asSaid.shownInOneLine }

    /// Whether a person could confuse the two names.
    func resembles(_ other: PeerName) -> Bool {
        let (left, right) = (Self.essence(of: self), Self.essence(of: other))
        return left == right
    }

    /// The letters and digits of a name, in lower case.
    private static func essence(of name: PeerName) -> String {
        name.shown.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
