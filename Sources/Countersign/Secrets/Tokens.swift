/// What a client presents to a resource server.
///
/// Standard: RFC 6749 §1.4.
public struct AccessToken: Secret {
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

/// What a client presents to get new access tokens; used once, then replaced.
///
/// Standard: RFC 6749 §1.5, RFC 9700 §4.14.2.
public struct RefreshToken: Secret {
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

/// The proof of a confidential client; minted by the server, 256 bits.
///
/// Standard: RFC 6749 §2.3.1.
public struct ClientSecret: Secret {
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

/// The token by which a service proves itself to its authorization provider; minted by that, 256 bits.
///
/// Standard: ETSI TS 103 407 §9.2.
public struct ServiceCredential: Secret {
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}

/// A password that a person typed.
public struct Password: Secret {
    public let revealed: String
    public init(revealing text: String) { revealed = text }
}
