/// The registration of a client that wants to be told that a person's session at this server has ended.
///
/// Standard: OpenID Connect Back-Channel Logout 1.0 §2.2.
public struct BackChannelLogout: Sendable, Equatable, Codable {
    /// The client's address for logout tokens.
    public var uri: String
    /// Whether the client needs the session in each of them. All have it.
    public var requiresSession: Bool

    /// Creates a registration.
    public init(uri: String, requiresSession: Bool = false) {
        self.uri = uri
        self.requiresSession = requiresSession
    }

    enum CodingKeys: String, CodingKey {
        case uri = "backchannel_logout_uri"
        case requiresSession = "backchannel_logout_session_required"
    }
}
