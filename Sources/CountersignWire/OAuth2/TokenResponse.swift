public import Countersign

/// The answer to a token request that succeeded.
///
/// Standard: RFC 6749 §5.1; OpenID Connect Core 1.0 §3.1.3.3 (`id_token`).
public struct TokenResponse: Sendable, Equatable {
    /// The token to present to resource servers.
    public let accessToken: AccessToken
    /// The presentation scheme of the token: `Bearer`, or `DPoP` for one that is bound to a key. Compare it without
    /// regard to case.
    public let tokenType: String
    /// The lifetime of the access token, in seconds; `nil` when the server does not say.
    public let expiresIn: Int?
    /// The token for getting new access tokens; `nil` when the server issues none.
    public let refreshToken: RefreshToken?
    /// The scope that was granted; `nil` from a server that grants exactly what was asked for.
    public let scope: Scope?
    /// A signed statement about the person, not verified yet; `nil` without the scope `openid`.
    public let idToken: UnverifiedIDToken?
    /// The kind of the access token, in the answer to an exchange. Standard: RFC 8693 §2.2.1.
    public let issuedTokenType: TokenTypeIdentifier?

    /// Creates an answer.
    public init(
        accessToken: AccessToken,
        tokenType: String = "Bearer",
        expiresIn: Int?,
        refreshToken: RefreshToken? = nil,
        scope: Scope? = nil,
        idToken: UnverifiedIDToken? = nil,
        issuedTokenType: TokenTypeIdentifier? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.scope = scope
        self.idToken = idToken
        self.issuedTokenType = issuedTokenType
    }
}

/// An ID token as it arrived: a statement that is not verified yet.
///
/// Standard: OpenID Connect Core 1.0 §2.
public struct UnverifiedIDToken: Secret {
    /// The token in its compact form.
    public let revealed: String
    /// Creates a token from the text that arrived.
    ///
    /// - Parameter text: The compact form of the token, three parts with dots between.
    public init(revealing text: String) { revealed = text }
}

extension TokenResponse: ProvingMessage {
    /// The members that must not be left out: a granted scope must not be taken for the one that was asked for.
    package static let provingMembers: Set<String>? = ["scope"]
}

extension TokenResponse: Codable {
    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope
        case idToken = "id_token"
        case issuedTokenType = "issued_token_type"
    }

    /// Writes the tokens in the clear: this is the message that carries them to their client.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(accessToken.revealed, forKey: .accessToken)
        try fields.encode(tokenType, forKey: .tokenType)
        try fields.encodeIfPresent(expiresIn, forKey: .expiresIn)
        try fields.encodeIfPresent(refreshToken?.revealed, forKey: .refreshToken)
        try fields.encodeIfPresent(scope?.description, forKey: .scope)
        try fields.encodeIfPresent(idToken?.revealed, forKey: .idToken)
        try fields.encodeIfPresent(issuedTokenType?.rawValue, forKey: .issuedTokenType)
    }

    /// Reads an answer; `expires_in` may be a number or a number in quotes, and `scope` a list.
    ///
    /// A lifetime or kind that cannot be read counts as left out: the tokens beside it may have been issued once only.
    ///
    /// - Throws: `DecodingError` when the access token or its type is missing, or another member is malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = AccessToken(revealing: try fields.decode(String.self, forKey: .accessToken))
        tokenType = try fields.decode(String.self, forKey: .tokenType)
        expiresIn = (try? fields.decode(WholeSeconds.self, forKey: .expiresIn))?.seconds
        refreshToken = try fields.decodeIfPresent(String.self, forKey: .refreshToken).map(RefreshToken.init(revealing:))
        idToken = try fields.decodeIfPresent(String.self, forKey: .idToken).map(UnverifiedIDToken.init(revealing:))
        // A granted scope must not be taken for the one that was asked for, so this is read or refused.
        if let words = try? fields.decode([String].self, forKey: .scope) {
            scope = Scope(parsing: words.joined(separator: " "))
        } else {
            scope = try fields.decodeIfPresent(String.self, forKey: .scope).flatMap(Scope.init(parsing:))
        }
        issuedTokenType = (try? fields.decode(String.self, forKey: .issuedTokenType)).map { TokenTypeIdentifier($0) }
    }
}

/// A number of seconds in a JSON answer: a number, or a number in quotes, which some servers send.
struct WholeSeconds: Decodable {
    let seconds: Int

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let number: Double
        if let plain = try? value.decode(Double.self) {
            number = plain
        } else {
            number = Double(try value.decode(String.self)) ?? .nan
        }
        guard number.isFinite, number >= 0, number < 1e12 else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no whole number of seconds")
        }
        seconds = Int(number)
    }
}
