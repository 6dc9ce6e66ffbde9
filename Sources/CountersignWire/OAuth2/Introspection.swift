public import Countersign

/// Asks whether a token is good, and what it stands for.
///
/// Standard: RFC 7662 §2.1. The hint is read and not needed: every kind of token is looked for.
public struct IntrospectionRequest: Sendable, Equatable {
    public let token: PresentedToken

    public init(token: PresentedToken) {
        self.token = token
    }

    /// Reads a request's form.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the token is missing.
    public init(form: Form) throws(OAuthError) {
        token = PresentedToken(revealing: try form.required("token"))
    }

    /// The form that a resource server sends, without its credentials.
    public var form: Form {
        var form = Form()
        form["token"] = token.revealed
        return form
    }
}

/// A token of which only the text is known: access or refresh, ours or not.
public struct PresentedToken: Secret {
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

/// What the server knows of a token; of one that is not good, only that.
///
/// Standard: RFC 7662 §2.2; RFC 9068 §2.2 for the claims that a JWT has as well.
public struct IntrospectionResponse: Sendable, Equatable, Codable {
    public let active: Bool
    public var scope: String?
    public var clientID: ClientID?
    /// The person's user name, where a person is behind the token.
    public var username: String?
    public var tokenType: String?
    /// Seconds since 1970.
    public var expires: Int?
    /// Seconds since 1970.
    public var issued: Int?
    public var subject: String?
    public var audience: Audience?
    public var issuer: String?
    public var tokenID: String?

    /// The answer about every token that is expired, revoked, unknown, or none of the asker's business.
    public static let inactive = IntrospectionResponse(active: false)

    public init(active: Bool) {
        self.active = active
    }

    enum CodingKeys: String, CodingKey {
        case active, scope, username
        case clientID = "client_id"
        case tokenType = "token_type"
        case expires = "exp"
        case issued = "iat"
        case subject = "sub"
        case audience = "aud"
        case issuer = "iss"
        case tokenID = "jti"
    }
}
