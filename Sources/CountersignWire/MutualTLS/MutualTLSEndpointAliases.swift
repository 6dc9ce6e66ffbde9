/// The addresses of endpoints for clients that prove a certificate when they open the TLS connection.
///
/// An endpoint that is omitted has one address for all clients. Standard: RFC 8705 §5.
package struct MutualTLSEndpointAliases: Sendable, Equatable, Codable {
    /// The endpoint that redeems clients' grants for tokens.
    package var tokenEndpoint: String?
    /// The endpoint that stores clients' authorization requests beforehand.
    package var pushedAuthorizationRequestEndpoint: String?
    /// The endpoint for devices that ask to be signed in.
    package var deviceAuthorizationEndpoint: String?
    /// The endpoint for clients that ask for a person whom they name.
    package var backchannelAuthenticationEndpoint: String?
    /// The endpoint for resource servers that ask about a token.
    package var introspectionEndpoint: String?
    /// The endpoint that revokes clients' tokens.
    package var revocationEndpoint: String?
    /// The endpoint for clients that ask about the person.
    package var userInfoEndpoint: String?
    /// The endpoint that gives clients a nonce for the exchange of an ID token. An addition of Countersign.
    package var exchangeNonceEndpoint: String?

    /// Creates aliases that name no endpoint.
    package init() {}

    enum CodingKeys: String, SnakeCaseKey {
        case tokenEndpoint, pushedAuthorizationRequestEndpoint, deviceAuthorizationEndpoint,
            backchannelAuthenticationEndpoint, introspectionEndpoint, revocationEndpoint, exchangeNonceEndpoint
        case userInfoEndpoint = "userinfo_endpoint"
    }
}
