public import Countersign

/// How a client redeems what it holds for tokens.
///
/// Standard: RFC 6749 §4 (`grant_type`).
public struct GrantType: Identifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A device code, once its request was approved. Standard: RFC 8628 §3.4.
    public static let deviceCode = GrantType("urn:ietf:params:oauth:grant-type:device_code")
    /// A refresh token. Standard: RFC 6749 §6.
    public static let refreshToken = GrantType("refresh_token")
    /// The client's own rights, without a person. Standard: RFC 6749 §4.4.
    public static let clientCredentials = GrantType("client_credentials")

    /// The grant types that this version knows.
    public static let known: [GrantType] = [.deviceCode, .refreshToken, .clientCredentials]
}
