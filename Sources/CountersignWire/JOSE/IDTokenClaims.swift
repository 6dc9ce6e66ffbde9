public import Countersign

/// What an ID token says of the person and of how they proved who they are.
///
/// Standard: OpenID Connect Core 1.0 §2, §5.1. Instants are seconds since 1970.
public struct IDTokenClaims: Sendable, Equatable, Codable {
    public var issuer: String
    public var subject: Subject
    public var audience: Audience
    public var expires: Int
    public var issued: Int
    public var authenticated: Int?
    public var name: String?
    public var preferredUsername: String?
    public var email: String?
    public var methods: [String]?

    public init(issuer: String, subject: Subject, audience: Audience, expires: Int, issued: Int) {
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
        case name, email
        case preferredUsername = "preferred_username"
        case methods = "amr"
    }
}

/// For whom a token is meant: one name, or several.
///
/// Standard: RFC 7519 §4.1.3.
public struct Audience: Sendable, Equatable, Codable {
    public let names: [String]

    public init(_ names: [String]) {
        self.names = names
    }

    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let one = try? value.decode(String.self) {
            names = [one]
        } else {
            names = try value.decode([String].self)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        if names.count == 1 { try value.encode(names[0]) } else { try value.encode(names) }
    }
}
