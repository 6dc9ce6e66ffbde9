/// A resource server's question whether a token is valid, and for its claims.
///
/// Standard: RFC 7662 §2.1. A `token_type_hint` is ignored: every kind of token is looked up.
public struct IntrospectionRequest: Sendable, Equatable {
    /// The token that a client presented.
    public let token: PresentedToken

    /// Creates a request to send.
    public init(token: PresentedToken) { self.token = token }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the token is missing.
    public init(form: Form) throws(OAuthError) { token = PresentedToken(revealing: try form.required("token")) }

    /// The form that a resource server sends, without its credentials.
    public var form: Form { ["token": token.revealed] }
}

/// A token as mere text, of unknown kind: access or refresh, from this server or not.
public struct PresentedToken: Secret {
    /// The token as it was presented.
    public let revealed: String
    public init(revealing text: String) { revealed = text }

    /// The same text taken for an access token. The digests of both differ: a store finds the token by this one.
    public var asAccessToken: AccessToken { AccessToken(revealing: revealed) }
    /// The same text taken for a refresh token.
    public var asRefreshToken: RefreshToken { RefreshToken(revealing: revealed) }
}

/// The facts that the server knows of a token; for one that is not valid, only that.
///
/// Instants are whole seconds since 1970.
///
/// ```swift
/// var answer = IntrospectionResponse(active: true)
/// answer.clientID = ClientID("tv")
/// answer.expires = 1_800_000_000
/// ```
///
/// Standard: RFC 7662 §2.2; RFC 9068 §2.2 for the claims that a JWT has as well.
public struct IntrospectionResponse: Sendable, Equatable, Codable {
    /// Whether the token is valid now, for the party that asks.
    public let active: Bool
    /// The granted scope, its words separated by spaces.
    public var scope: String?
    /// The client that the token was issued to (`client_id`).
    public var clientID: ClientID?
    /// The name that the person signs in with; `nil` when no person is involved.
    public var username: String?
    /// The presentation scheme of the token, `Bearer` or `DPoP` (`token_type`).
    public var tokenType: String?
    /// The key that it is bound to (`cnf`); `nil` for a token that its bearer may use. Standard: RFC 9449 §6.2.
    public var confirmation: KeyConfirmation?
    /// The expiry (`exp`).
    public var expires: Int?
    /// The time of issue (`iat`).
    public var issued: Int?
    /// The person, or the client for its own token (`sub`).
    public var subject: String?
    /// The resource servers that are its audience (`aud`).
    public var audience: Audience?
    /// The server that issued it (`iss`).
    public var issuer: String?
    /// Identifies the token without revealing it (`jti`).
    public var tokenID: String?
    /// The time of the person's last authentication (`auth_time`). Standard: RFC 9470 §6.2.
    public var authenticated: Int?
    /// The class of that authentication (`acr`). Standard: RFC 9470 §6.2.
    public var authenticationClass: String?
    /// The proofs of the approval (`countersign_evidence`); `nil` when no person is involved. An addition of Countersign.
    public var evidence: EvidenceClaim?
    /// The person's groups, with the scope `groups`, and the claims that the operator declared. Standard: RFC 9068
    /// §2.2.3.1.
    public var additional = AdditionalClaims()

    /// The answer about a token that is expired, revoked or unknown, or that the asking party may not see.
    public static let inactive = IntrospectionResponse(active: false)

    /// Creates an answer without further members.
    public init(active: Bool) { self.active = active }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case active, scope, username
        case clientID = "client_id"
        case confirmation = "cnf"
        case tokenType = "token_type"
        case expires = "exp"
        case issued = "iat"
        case subject = "sub"
        case audience = "aud"
        case issuer = "iss"
        case tokenID = "jti"
        case authenticated = "auth_time"
        case authenticationClass = "acr"
        case evidence = "countersign_evidence"
    }

    /// Reads an answer.
    ///
    /// - Throws: `DecodingError` without `active`, and for a member of the standard that is of another kind.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        active = try members.decode(Bool.self, forKey: .active)
        scope = try members.decodeIfPresent(String.self, forKey: .scope)
        clientID = try members.decodeIfPresent(ClientID.self, forKey: .clientID)
        username = try members.decodeIfPresent(String.self, forKey: .username)
        tokenType = try members.decodeIfPresent(String.self, forKey: .tokenType)
        confirmation = try members.decodeIfPresent(KeyConfirmation.self, forKey: .confirmation)
        expires = try members.decodeIfPresent(Int.self, forKey: .expires)
        issued = try members.decodeIfPresent(Int.self, forKey: .issued)
        subject = try members.decodeIfPresent(String.self, forKey: .subject)
        audience = try members.decodeIfPresent(Audience.self, forKey: .audience)
        issuer = try members.decodeIfPresent(String.self, forKey: .issuer)
        tokenID = try members.decodeIfPresent(String.self, forKey: .tokenID)
        authenticated = try members.decodeIfPresent(Int.self, forKey: .authenticated)
        authenticationClass = try members.decodeIfPresent(String.self, forKey: .authenticationClass)
        evidence = try members.decodeIfPresent(EvidenceClaim.self, forKey: .evidence)
        additional = try AdditionalClaims(from: decoder, besides: Set(CodingKeys.allCases.map(\.rawValue)))
    }

    /// Writes an answer.
    ///
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        try additional.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(active, forKey: .active)
        try members.encodeIfPresent(scope, forKey: .scope)
        try members.encodeIfPresent(clientID, forKey: .clientID)
        try members.encodeIfPresent(username, forKey: .username)
        try members.encodeIfPresent(tokenType, forKey: .tokenType)
        try members.encodeIfPresent(confirmation, forKey: .confirmation)
        try members.encodeIfPresent(expires, forKey: .expires)
        try members.encodeIfPresent(issued, forKey: .issued)
        try members.encodeIfPresent(subject, forKey: .subject)
        try members.encodeIfPresent(audience, forKey: .audience)
        try members.encodeIfPresent(issuer, forKey: .issuer)
        try members.encodeIfPresent(tokenID, forKey: .tokenID)
        try members.encodeIfPresent(authenticated, forKey: .authenticated)
        try members.encodeIfPresent(authenticationClass, forKey: .authenticationClass)
        try members.encodeIfPresent(evidence, forKey: .evidence)
    }
}
