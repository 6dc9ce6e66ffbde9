/// What a server says of itself, so that a client needs to know only the issuer.
///
/// Standard: RFC 8414 §2, OpenID Connect Discovery 1.0 §3; RFC 8628 §4 (`device_authorization_endpoint`).
public struct AuthorizationServerMetadata: Sendable, Equatable, Codable {
    public var issuer: String
    public var authorizationEndpoint: String?
    public var tokenEndpoint: String?
    public var deviceAuthorizationEndpoint: String?
    public var introspectionEndpoint: String?
    public var revocationEndpoint: String?
    public var userInfoEndpoint: String?
    public var keysURI: String?
    public var scopesSupported: [String]?
    public var responseTypesSupported: [String]?
    public var grantTypesSupported: [GrantType]?
    public var tokenEndpointAuthMethodsSupported: [String]?
    public var introspectionEndpointAuthMethodsSupported: [String]?
    public var revocationEndpointAuthMethodsSupported: [String]?
    public var subjectTypesSupported: [String]?
    public var idTokenSigningAlgValuesSupported: [String]?
    public var claimsSupported: [String]?
    public var serviceDocumentation: String?
    /// Where a phone looks at the request of a screen nearby. An addition of ours.
    public var nearbyLookEndpoint: String?
    /// Where it sends its signed decision. An addition of ours.
    public var nearbyDecideEndpoint: String?

    public init(issuer: String) {
        self.issuer = issuer
    }

    enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case deviceAuthorizationEndpoint = "device_authorization_endpoint"
        case introspectionEndpoint = "introspection_endpoint"
        case revocationEndpoint = "revocation_endpoint"
        case userInfoEndpoint = "userinfo_endpoint"
        case keysURI = "jwks_uri"
        case scopesSupported = "scopes_supported"
        case responseTypesSupported = "response_types_supported"
        case grantTypesSupported = "grant_types_supported"
        case tokenEndpointAuthMethodsSupported = "token_endpoint_auth_methods_supported"
        case introspectionEndpointAuthMethodsSupported = "introspection_endpoint_auth_methods_supported"
        case revocationEndpointAuthMethodsSupported = "revocation_endpoint_auth_methods_supported"
        case subjectTypesSupported = "subject_types_supported"
        case idTokenSigningAlgValuesSupported = "id_token_signing_alg_values_supported"
        case claimsSupported = "claims_supported"
        case serviceDocumentation = "service_documentation"
        case nearbyLookEndpoint = "nearby_look_endpoint"
        case nearbyDecideEndpoint = "nearby_decide_endpoint"
    }
}
