/// The addresses of endpoints for clients that prove a certificate when they open the TLS connection.
///
/// An endpoint that is left out has one address for all clients.
/// Standard: RFC 8705 §5.
public struct MutualTLSEndpointAliases: Sendable, Equatable, Codable {
    /// Where a client redeems grants for tokens.
    public var tokenEndpoint: String?
    /// Where a client stores an authorization request beforehand.
    public var pushedAuthorizationRequestEndpoint: String?
    /// Where a device asks to be signed in.
    public var deviceAuthorizationEndpoint: String?
    /// Where a client asks for a person whom it names.
    public var backchannelAuthenticationEndpoint: String?
    /// Where a resource server asks about a token.
    public var introspectionEndpoint: String?
    /// Where a client revokes a token.
    public var revocationEndpoint: String?
    /// Where a client asks about the person.
    public var userInfoEndpoint: String?
    /// Where a client gets a nonce for the exchange of an ID token. An addition of Countersign.
    public var exchangeNonceEndpoint: String?

    /// Creates aliases that name no endpoint.
    public init() {}

    enum CodingKeys: String, CodingKey {
        case tokenEndpoint = "token_endpoint"
        case pushedAuthorizationRequestEndpoint = "pushed_authorization_request_endpoint"
        case deviceAuthorizationEndpoint = "device_authorization_endpoint"
        case backchannelAuthenticationEndpoint = "backchannel_authentication_endpoint"
        case introspectionEndpoint = "introspection_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case userInfoEndpoint = "userinfo_endpoint"
        case exchangeNonceEndpoint = "exchange_nonce_endpoint"
    }
}
