/// The answer to a token request that succeeded.
///
/// An unreadable lifetime or kind counts as left out, since the tokens of the answer may not be issued again. Standard:
/// RFC 6749 §5.1; OpenID Connect Core 1.0 §3.1.3.3 (`id_token`); draft-ietf-oauth-refresh-token-expiration-03
/// (`authorization_expires_in`).
public struct TokenResponse: Sendable, Equatable, Codable {
    /// The token to present to resource servers.
    @SecretMember public private(set) var accessToken: AccessToken
    /// The presentation scheme of the token: `Bearer`, or `DPoP` for one that is bound to a key. Compare it without
    /// regard to case.
    public let tokenType: String
    /// The lifetime of the access token, in seconds; `nil` if unknown.
    @Member<TolerantForm<SecondsForm>?> public private(set) var expiresIn: Int?
    /// The token for getting new access tokens; `nil` when the server issues none.
    @OptionalSecretMember public private(set) var refreshToken: RefreshToken?
    /// The scope that was granted; `nil` from a server that grants exactly the requested scope.
    @Member<GrantedScopeForm> public private(set) var scope: Scope?
    /// A signed statement about the person, not verified yet; `nil` without the scope `openid`.
    @OptionalSecretMember public private(set) var idToken: UnverifiedIDToken?
    /// The time after which the authorization ends by itself, in seconds, because the person chose so; `nil` when it has
    /// no such end. Neither an access token nor a refresh token outlives it.
    @Member<TolerantForm<SecondsForm>?> public private(set) var authorizationExpiresIn: Int?
    /// The kind of the access token, in the answer to an exchange. Standard: RFC 8693 §2.2.1.
    @TolerantMember public private(set) var issuedTokenType: TokenTypeIdentifier?

    /// Creates an answer.
    public init(
        accessToken: AccessToken,
        tokenType: String = "Bearer",
        expiresIn: Int?,
        refreshToken: RefreshToken? = nil,
        scope: Scope? = nil,
        idToken: UnverifiedIDToken? = nil,
        issuedTokenType: TokenTypeIdentifier? = nil,
        authorizationExpiresIn: Int? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.scope = scope
        self.idToken = idToken
        self.issuedTokenType = issuedTokenType
        self.authorizationExpiresIn = authorizationExpiresIn
    }

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope
        case idToken = "id_token"
        case issuedTokenType = "issued_token_type"
        case authorizationExpiresIn = "authorization_expires_in"
    }
}

/// An ID token as it arrived: a statement that is not verified yet.
///
/// Standard: OpenID Connect Core 1.0 §2.
public struct UnverifiedIDToken: Secret {
    /// The token in its compact form.
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

extension TokenResponse: ProvingMessage {
    /// The members that must be readable: a granted scope must not be mistaken for the requested one.
    package static let provingMembers: Set<String>? = ["scope"]
}

/// The form of a granted scope: words with spaces between, or a list of words, as some servers send it.
public enum GrantedScopeForm: MemberForm {
    /// No statement.
    public static var missing: Scope?? { .some(nil) }

    public static func read(from decoder: any Decoder) throws -> Scope? {
        // It must not be mistaken for the requested one, so it is read or refused.
        if let words = try? [String](from: decoder) { return Scope(parsing: words.joined(separator: " ")) }
        return Scope(parsing: try String(from: decoder))
    }

    public static func write(_ value: Scope?, to encoder: any Encoder) throws {
        try value?.description.encode(to: encoder)
    }
}
