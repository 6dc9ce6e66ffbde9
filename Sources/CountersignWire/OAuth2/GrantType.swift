/// The type of grant that a client redeems for tokens.
///
/// Standard: RFC 6749 §4 (`grant_type`).
public struct GrantType: Identifier {
    /// The value of `grant_type`.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An authorization code. Standard: RFC 6749 §4.1.3.
    public static let authorizationCode = GrantType("authorization_code")
    /// A device code, once its request was approved. Standard: RFC 8628 §3.4.
    public static let deviceCode = GrantType("urn:ietf:params:oauth:grant-type:device_code")
    /// A refresh token. Standard: RFC 6749 §6.
    public static let refreshToken = GrantType("refresh_token")
    /// The client's own rights, without a person. Standard: RFC 6749 §4.4.
    public static let clientCredentials = GrantType("client_credentials")
    /// A token of another provider. Standard: RFC 8693 §2.1.
    public static let tokenExchange = GrantType("urn:ietf:params:oauth:grant-type:token-exchange")

    /// The identifier of a request over the back channel, once it was approved. Standard: OpenID CIBA Core 1.0 §10.1.
    public static let backchannelAuthentication = GrantType("urn:openid:params:grant-type:ciba")

    /// A code that a person created in advance for their own device, transferred in a QR code.
    ///
    /// Standard: OpenID for Verifiable Credential Issuance 1.0 §6.1.
    public static let preAuthorizedCode = GrantType("urn:ietf:params:oauth:grant-type:pre-authorized_code")

    /// The grant types of the OAuth token endpoint.
    public static let known: [GrantType] = [
        .authorizationCode, .deviceCode, .refreshToken, .clientCredentials, .tokenExchange, .backchannelAuthentication,
        .preAuthorizedCode,
    ]
}
