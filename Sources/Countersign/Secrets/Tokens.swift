/// The token that a client presents to a resource server.
///
/// Standard: RFC 6749 §1.4.
public struct AccessToken: TimeOrderedSecret {
    /// The token in the clear, for the `Authorization` header.
    public let revealed: String
    /// Creates a token from the text that a server issued or a client presented.
    ///
    /// - Parameter text: The token in the clear, in its wire form.
    public init(revealing text: String) { revealed = text }
}

/// The token that a client presents to get new access tokens; used once, then replaced.
///
/// Standard: RFC 6749 §1.5, RFC 9700 §4.14.2.
public struct RefreshToken: Secret {
    /// The token in the clear, for a token request.
    public let revealed: String
    /// Creates a token from the text that a server issued or a client presented.
    ///
    /// - Parameter text: The token in the clear, in its wire form.
    public init(revealing text: String) { revealed = text }
}

/// The secret that a confidential client authenticates with; the server mints it with 256 random bits.
///
/// Standard: RFC 6749 §2.3.1.
public struct ClientSecret: Secret {
    /// The secret as the client sends it.
    public let revealed: String
    /// Creates a secret from the text that was minted or presented.
    ///
    /// - Parameter text: The secret in the clear, in its wire form.
    public init(revealing text: String) { revealed = text }
}

/// The token that a service authenticates with to its authorization provider; the provider mints it with 256 random
/// bits.
///
/// Standard: ETSI TS 103 407 §9.2.
public struct ServiceCredential: Secret {
    /// The credential as the service sends it.
    public let revealed: String
    /// Creates a credential from the text that was minted or presented.
    ///
    /// - Parameter text: The credential in the clear, in its wire form.
    public init(revealing text: String) { revealed = text }
}

/// A password that a person typed.
public struct Password: Secret {
    /// The password exactly as it was typed.
    public let revealed: String
    /// Creates a password from typed text.
    ///
    /// - Parameter text: The password in the clear, with every space that was typed.
    public init(revealing text: String) { revealed = text }
}
