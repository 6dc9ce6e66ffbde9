/// A message on both the starting and the deciding device, for comparison by the person.
///
/// Standard: OpenID CIBA Core 1.0 §7.1 (`binding_message`), which leaves length and characters to the server.
public struct BindingMessage: Identifier {
    /// The longest message, 64 characters: it is compared by eye.
    public static let longest = 64

    /// The words.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Reads a message that is shown unchanged.
    ///
    /// - Parameter text: The words: at most ``longest`` characters in one line, with single spaces between words and
    ///   none at either end, and nothing that steers a screen, hides, or grows over the line. `nil` is returned for
    ///   others, because a message that was mended could not be compared.
    public init?(parsing text: String) {
        guard DeviceAuthorizationRequest.presentable(text, upTo: Self.longest) == text else { return nil }
        rawValue = text
    }
}
