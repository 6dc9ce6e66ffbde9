/// The claims of an ID token: who the person is, and how and when they authenticated.
///
/// Instants are whole seconds since 1970.
/// Standard: OpenID Connect Core 1.0 §2, §5.1.
package struct IDTokenClaims: Sendable, Equatable, Codable {
    /// The server that signed the token (`iss`).
    package var issuer: String
    /// The person (`sub`).
    package var subject: Subject
    /// The audience of the token (`aud`).
    package var audience: Audience
    /// The expiry of the token (`exp`).
    package var expires: Int
    /// The time when the token was issued (`iat`).
    package var issued: Int
    /// The time of the person's last authentication (`auth_time`); `nil` if unknown.
    package var authenticated: Int?
    /// The `nonce` of the authorization request, if that had one.
    package var nonce: String?
    /// The class of the authentication (`acr`); `nil` if unknown.
    package var authenticationClass: String?
    /// The person's name, with the scope `profile`.
    package var name: String?
    /// The name that the person signs in with (`preferred_username`), with the scope `profile`.
    package var preferredUsername: String?
    /// The person's e-mail address, with the scope `email`.
    package var email: String?
    /// Whether the server knows that the address is the person's (`email_verified`); `nil` without an address.
    package var isEmailVerified: Bool?
    /// The person's language (`locale`), with the scope `profile`.
    package var locale: String?
    /// The person's time zone (`zoneinfo`), with the scope `profile`.
    package var zoneInfo: String?
    /// The time of the last change of these facts (`updated_at`), with the scope `profile`.
    package var updated: Int?
    /// The person's groups, and what the operator declared; left empty by reading, because apps ask `/userinfo`.
    package var additional = AdditionalClaims()
    /// The methods of the person's authentication (`amr`), such as `pwd`. Standard: RFC 8176 §2.
    package var methods: [String]?

    /// The proofs of the approval (`countersign_evidence`). An addition of Countersign.
    package var evidence: EvidenceClaim?
    /// The screen on which the person chose to be remembered (`countersign_screen`); `nil` where they did not. An
    /// addition of Countersign.
    package var screen: RememberedScreenID?

    /// The person's session at the client (`sid`). Standard: OpenID Connect Back-Channel Logout 1.0 §2.1.
    package var session: SessionID?

    /// The digest of the accompanying access token (`at_hash`). Standard: OpenID Connect Core 1.0 §3.1.3.6.
    package var accessTokenDigest: TokenDigest?
    /// The digest of the accompanying refresh token. Standard: OpenID CIBA Core 1.0 §10.3.1.
    package var refreshTokenDigest: TokenDigest?
    /// The request over the back channel that is answered by pushing the token. Standard: OpenID CIBA Core 1.0 §10.3.1.
    package var authenticationRequest: AuthenticationRequestIDClaim?

    /// Creates claims without the optional ones.
    package init(issuer: String, subject: Subject, audience: Audience, expires: Int, issued: Int) {
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.expires = expires
        self.issued = issued
    }

    enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case expires = "exp"
        case issued = "iat"
        case authenticated = "auth_time"
        case nonce
        case authenticationClass = "acr"
        case name, email
        case preferredUsername = "preferred_username"
        case isEmailVerified = "email_verified"
        case locale
        case zoneInfo = "zoneinfo"
        case updated = "updated_at"
        case methods = "amr"
        case evidence = "countersign_evidence"
        case screen = "countersign_screen"
        case session = "sid"
        case accessTokenDigest = "at_hash"
        case refreshTokenDigest = "urn:openid:params:jwt:claim:rt_hash"
        case authenticationRequest = "urn:openid:params:jwt:claim:auth_req_id"
    }

    /// Reads claims. One that proves nothing counts as left out if it cannot be read.
    ///
    /// - Throws: ``JSONMembers/UnexpectedMemberError`` when one that proves something is missing, of another kind or
    ///   there twice.
    init(_ members: JSONMembers) throws(JSONMembers.UnexpectedMemberError) {
        issuer = try Self.needed(.issuer, try members.text(CodingKeys.issuer.rawValue))
        subject = Subject(rawValue: try Self.needed(.subject, try members.text(CodingKeys.subject.rawValue)))
        audience = Audience(try Self.needed(.audience, try members.texts(CodingKeys.audience.rawValue, orOne: true)))
        expires = try Self.needed(.expires, try members.number(CodingKeys.expires.rawValue))
        issued = try Self.needed(.issued, try members.number(CodingKeys.issued.rawValue))
        nonce = try members.text(CodingKeys.nonce.rawValue)
        // Without a time or class no demand for them is met.
        authenticated = members.looseNumber(CodingKeys.authenticated.rawValue)
        authenticationClass = try? members.text(CodingKeys.authenticationClass.rawValue)
        name = try? members.text(CodingKeys.name.rawValue)
        preferredUsername = try? members.text(CodingKeys.preferredUsername.rawValue)
        email = try? members.text(CodingKeys.email.rawValue)
        locale = try? members.text(CodingKeys.locale.rawValue)
        zoneInfo = try? members.text(CodingKeys.zoneInfo.rawValue)
        updated = members.looseNumber(CodingKeys.updated.rawValue)
        // One provider writes it as text.
        isEmailVerified = try? members.truth(CodingKeys.isEmailVerified.rawValue)
        methods = try? members.texts(CodingKeys.methods.rawValue, orOne: true)
        evidence = (try? members.object(CodingKeys.evidence.rawValue)).map { EvidenceClaim($0) }
        screen = (try? members.text(CodingKeys.screen.rawValue)).map(RememberedScreenID.init(rawValue:))
        session = (try? members.text(CodingKeys.session.rawValue)).map(SessionID.init(rawValue:))
    }

    private static func needed<Value>(_ key: CodingKeys, _ value: Value?) throws(JSONMembers.UnexpectedMemberError)
        -> Value
    {
        guard let value else { throw JSONMembers.UnexpectedMemberError(name: key.rawValue) }
        return value
    }
}

/// The audience of a token: one name, or several.
///
/// Standard: RFC 7519 §4.1.3.
public struct Audience: Sendable, Equatable, Codable {
    /// The names, in the token's order.
    public let names: [String]

    /// Creates an audience from its names.
    public init(_ names: [String]) { self.names = names }

    /// Reads one string or a list of strings.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let one = try? value.decode(String.self) {
            names = [one]
        } else {
            names = try value.decode([String].self)
        }
    }

    /// Writes a string for one name, a list otherwise.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        if names.count == 1 { try value.encode(names[0]) } else { try value.encode(names) }
    }
}
