/// The addresses of endpoints for clients that prove a certificate when they open the TLS connection.
///
/// An endpoint that is omitted has one address for all clients. Standard: RFC 8705 §5.
public struct MutualTLSEndpointAliases: Sendable, Equatable, Codable {
    /// The endpoint that redeems clients' grants for tokens.
    public var tokenEndpoint: String?
    /// The endpoint that stores clients' authorization requests beforehand.
    public var pushedAuthorizationRequestEndpoint: String?
    /// The endpoint for devices that ask to be signed in.
    public var deviceAuthorizationEndpoint: String?
    /// The endpoint for clients that ask for a person whom they name.
    public var backchannelAuthenticationEndpoint: String?
    /// The endpoint for resource servers that ask about a token.
    public var introspectionEndpoint: String?
    /// The endpoint that revokes clients' tokens.
    public var revocationEndpoint: String?
    /// The endpoint for clients that ask about the person.
    public var userInfoEndpoint: String?
    /// The endpoint that gives clients a nonce for the exchange of an ID token. An addition of Countersign.
    public var exchangeNonceEndpoint: String?

    /// Creates aliases that name no endpoint.
    public init() {}

    enum CodingKeys: String, SnakeCaseKey {
        case tokenEndpoint, pushedAuthorizationRequestEndpoint, deviceAuthorizationEndpoint,
            backchannelAuthenticationEndpoint, introspectionEndpoint, revocationEndpoint, exchangeNonceEndpoint
        case userInfoEndpoint = "userinfo_endpoint"
    }
}
