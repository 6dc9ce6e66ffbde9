/// Names a person's session at a client, in the ID tokens and logout tokens of that client (`sid`). No secret.
///
/// Standard: OpenID Connect Back-Channel Logout 1.0 §2.1.
public struct SessionID: Identifier {
    /// The value of `sid`.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The claims of a logout token: the person and the client of a session that has ended.
///
/// Instants are whole seconds since 1970.
/// Standard: OpenID Connect Back-Channel Logout 1.0 §2.4.
public struct LogoutTokenClaims: Sendable, Equatable, Codable {
    /// The name of the event.
    public static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// The server that signed the token (`iss`).
    public var issuer: String
    /// The person (`sub`).
    public var subject: Subject
    /// The client that is the audience of the token (`aud`).
    public var audience: Audience
    /// The time when the token was issued (`iat`).
    public var issued: Int
    /// The expiry of the token (`exp`).
    public var expires: Int
    /// Names this token (`jti`).
    public var tokenID: String
    /// The session that has ended (`sid`).
    public var session: SessionID

    /// Creates claims.
    public init(
        issuer: String,
        subject: Subject,
        audience: Audience,
        issued: Int,
        expires: Int,
        tokenID: String,
        session: SessionID
    ) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.issued = issued
        self.expires = expires
        self.tokenID = tokenID
        self.session = session
    }

    private var events = Events()

    enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case issued = "iat"
        case expires = "exp"
        case tokenID = "jti"
        case events
        case session = "sid"
    }

    /// The member `events`: one name, with an empty object.
    struct Events: Codable, Equatable, CompactlyWritten {
        struct EmptyObject: Codable, Equatable, CompactlyWritten {
            func write(to json: inout CompactJSON) {}
        }

        var ended = EmptyObject()

        enum CodingKeys: String, CodingKey { case ended = "http://schemas.openid.net/event/backchannel-logout" }

        func write(to json: inout CompactJSON) { json.add(CodingKeys.ended, ended) }
    }

    /// Writes the claims, with the event that they are about.
}
