/// The registration of a client for notices of the end of a session at this server.
///
/// Standard: OpenID Connect Back-Channel Logout 1.0 §2.2.
public struct BackChannelLogout: Sendable, Equatable, Codable {
    /// The client's address for logout tokens.
    public var uri: String
    /// Whether the client needs the session (`sid`) in each of them. All have it.
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
