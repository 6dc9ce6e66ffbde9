/// The server's proof to a client that a notification is about one of its requests: a token that the client mints for
/// each request.
///
/// Standard: OpenID CIBA Core 1.0 §7.1 (`client_notification_token`).
public struct ClientNotificationToken: Secret {
    /// The longest token, in characters.
    public static let longest = 1024

    /// The token in the clear, for the `Authorization` header of a notification.
    public let revealed: String
    public init(revealing text: String) { revealed = text }

    /// Reads a token.
    ///
    /// - Parameter text: A bearer token of at most ``longest`` characters (RFC 6750 §2.1); `nil` is returned for
    ///   others.
    public init?(parsing text: String) {
        guard text.utf8.count <= Self.longest, BearerHeader.token(in: "Bearer \(text)")?.revealed == text else {
            return nil
        }
        revealed = text
    }

    /// The value of the `Authorization` header of a notification.
    public var headerValue: String { BearerHeader.value(for: AccessToken(revealing: revealed)) }
}
