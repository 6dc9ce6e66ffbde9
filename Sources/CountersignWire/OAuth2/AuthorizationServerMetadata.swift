/// A server's description of itself, so that a client needs to know only the issuer.
///
/// Members that a server leaves out are `nil`. URLs are absolute.
/// Standard: RFC 8414 §2, OpenID Connect Discovery 1.0 §3; RFC 8628 §4 (`device_authorization_endpoint`).
public struct AuthorizationServerMetadata: Sendable, Equatable, Codable {
    /// The issuer, to be compared with the one that the client asked for.
    public var issuer: String
    /// The endpoint for browsers that ask for authorization.
    public var authorizationEndpoint: String?
    /// The endpoint that redeems clients' grants for tokens.
    public var tokenEndpoint: String?
    /// The endpoint for devices that ask to be signed in.
    public var deviceAuthorizationEndpoint: String?
    /// The endpoint for resource servers that ask about a token.
    public var introspectionEndpoint: String?
    /// The endpoint that revokes clients' tokens.
    public var revocationEndpoint: String?
    /// The endpoint for clients that ask about the person.
    public var userInfoEndpoint: String?
    /// The endpoint for clients that register themselves. Standard: RFC 7591 §3.
    public var registrationEndpoint: String?
    /// The address of the server's public keys (`jwks_uri`).
    public var keysURI: String?
    /// The scope words that the server knows.
    public var scopesSupported: [String]?
    /// The response types of the authorization endpoint.
    public var responseTypesSupported: [String]?
    /// The response modes of the authorization endpoint.
    public var responseModesSupported: [String]?
    /// The methods for challenges of authorization requests: `S256`.
    public var codeChallengeMethodsSupported: [String]?
    /// Whether answers of the authorization endpoint name the issuer. Standard: RFC 9207 §3.
    public var authorizationResponseIssParameterSupported: Bool?
    /// The endpoint that stores clients' authorization requests beforehand. Standard: RFC 9126 §5.
    public var pushedAuthorizationRequestEndpoint: String?
    /// Whether authorization requests have to be stored beforehand.
    public var requirePushedAuthorizationRequests: Bool?
    /// The values of `prompt` that are understood.
    public var promptValuesSupported: [String]?
    /// The classes of authentication that ID tokens may name.
    public var acrValuesSupported: [String]?
    /// The values of `display` that are understood.
    public var displayValuesSupported: [String]?
    /// The languages of the pages, as BCP 47 tags.
    public var uiLocalesSupported: [String]?
    /// Whether signed requests are understood (`request`).
    public var requestParameterSupported: Bool?
    /// The algorithms for clients' signed requests.
    public var requestObjectSigningAlgValuesSupported: [String]?
    /// Whether every request has to be signed. Standard: RFC 9101 §10.5.
    public var requireSignedRequestObject: Bool?
    /// Whether requests may be fetched from a client's address.
    public var requestURIParameterSupported: Bool?
    /// Whether the parameter `claims` is understood.
    public var claimsParameterSupported: Bool?
    /// The endpoint for clients that end a person's session. Standard: OpenID Connect RP-Initiated Logout 1.0 §2.1.
    public var endSessionEndpoint: String?
    /// Whether clients are notified of sign-outs. Standard: OpenID Connect Back-Channel Logout 1.0 §2.1.
    public var backChannelLogoutSupported: Bool?
    /// Whether ID tokens and logout tokens name the session.
    public var backChannelLogoutSessionSupported: Bool?
    /// The endpoint for clients that ask for a person whom they name. Standard: OpenID CIBA Core 1.0 §4.
    public var backchannelAuthenticationEndpoint: String?
    /// The ways a client may learn of the decision: `poll`, `ping`, `push`.
    public var backchannelTokenDeliveryModesSupported: [String]?
    /// The algorithms for clients' signed requests over the back channel.
    public var backchannelAuthenticationRequestSigningAlgValuesSupported: [String]?
    /// Whether people may have a code without which they are not asked over the back channel.
    public var backchannelUserCodeParameterSupported: Bool?
    /// The grant types of the token endpoint.
    public var grantTypesSupported: [GrantType]?
    /// The methods of client authentication at the token endpoint, such as `client_secret_basic`.
    public var tokenEndpointAuthMethodsSupported: [String]?
    /// The algorithms for clients' signed assertions at the token endpoint.
    public var tokenEndpointAuthSigningAlgValuesSupported: [String]?
    /// The algorithms of proofs that are accepted. Standard: RFC 9449 §5.1.
    public var dpopSigningAlgValuesSupported: [String]?
    /// The methods of resource server authentication at the introspection endpoint.
    public var introspectionEndpointAuthMethodsSupported: [String]?
    /// The methods of client authentication at the revocation endpoint.
    public var revocationEndpointAuthMethodsSupported: [String]?
    /// The algorithms of the statements that authenticate clients at the introspection endpoint.
    public var introspectionEndpointAuthSigningAlgValuesSupported: [String]?
    /// The algorithms of the statements that authenticate clients at the revocation endpoint.
    public var revocationEndpointAuthSigningAlgValuesSupported: [String]?
    /// Whether access tokens may be bound to certificates. Standard: RFC 8705 §3.3.
    public var tlsClientCertificateBoundAccessTokens: Bool?
    /// The endpoints for clients that prove a certificate. Standard: RFC 8705 §5.
    package var mtlsEndpointAliases: MutualTLSEndpointAliases?
    /// The kinds of `sub`: `public` or `pairwise`.
    public var subjectTypesSupported: [String]?
    /// The signature algorithms of ID tokens.
    public var idTokenSigningAlgValuesSupported: [String]?
    /// The reasons why refresh tokens expire that token responses tell: `authorization`, and `token_timeout`.
    /// Standard: draft-ietf-oauth-refresh-token-expiration-03.
    public var refreshTokenExpirationTypesSupported: [String]?
    /// The claims that ID tokens and user info may have.
    public var claimsSupported: [String]?
    /// The URL of documentation for developers.
    public var serviceDocumentation: String?
    /// Below which apps that approve find their endpoints `look` and `decide`, as `Documentation/Approver.md` has them.
    /// An addition of Countersign.
    public var approverEndpoint: String?
    /// Below which enrolled devices find their endpoints, as `Documentation/Authenticator.md` names them. An addition
    /// of Countersign.
    public var authenticatorEndpoint: String?
    /// The endpoint that gives clients a nonce for the exchange of an ID token. An addition of Countersign.
    public var exchangeNonceEndpoint: String?
    /// Whether token requests may have a ``TokenRequestID``, so that a lost answer is repeated. An addition of
    /// Countersign.
    public var requestIDParameterSupported: Bool?
    /// The longest time, in seconds, that requests may ask for with ``Countersign/GuestService``; `nil` for a server
    /// without such requests. An addition of Countersign.
    public var serviceMaxLifetime: Int?

    /// Creates metadata that name only the issuer.
    public init(issuer: String) { self.issuer = issuer }

    enum CodingKeys: String, SnakeCaseKey {
        case issuer, authorizationEndpoint, tokenEndpoint, deviceAuthorizationEndpoint, introspectionEndpoint,
            revocationEndpoint, registrationEndpoint, scopesSupported, responseTypesSupported, responseModesSupported,
            codeChallengeMethodsSupported, authorizationResponseIssParameterSupported,
            pushedAuthorizationRequestEndpoint, requirePushedAuthorizationRequests, promptValuesSupported,
            acrValuesSupported, displayValuesSupported, uiLocalesSupported, requestParameterSupported,
            requestObjectSigningAlgValuesSupported, requireSignedRequestObject, requestURIParameterSupported,
            claimsParameterSupported, endSessionEndpoint, backchannelAuthenticationEndpoint,
            backchannelTokenDeliveryModesSupported, backchannelAuthenticationRequestSigningAlgValuesSupported,
            backchannelUserCodeParameterSupported, grantTypesSupported, tokenEndpointAuthMethodsSupported,
            introspectionEndpointAuthSigningAlgValuesSupported, revocationEndpointAuthSigningAlgValuesSupported,
            tokenEndpointAuthSigningAlgValuesSupported, dpopSigningAlgValuesSupported,
            introspectionEndpointAuthMethodsSupported, revocationEndpointAuthMethodsSupported,
            tlsClientCertificateBoundAccessTokens, mtlsEndpointAliases, subjectTypesSupported,
            idTokenSigningAlgValuesSupported, refreshTokenExpirationTypesSupported, claimsSupported,
            serviceDocumentation, approverEndpoint,
            authenticatorEndpoint,
            exchangeNonceEndpoint, requestIDParameterSupported, serviceMaxLifetime
        case userInfoEndpoint = "userinfo_endpoint"
        case keysURI = "jwks_uri"
        case backChannelLogoutSupported = "backchannel_logout_supported"
        case backChannelLogoutSessionSupported = "backchannel_logout_session_supported"
    }
}
