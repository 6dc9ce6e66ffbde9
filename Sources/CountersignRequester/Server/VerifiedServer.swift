internal import CountersignWire

/// A server with verified metadata: it is the requested issuer, and its endpoints may be used.
///
/// Only ``ServerDiscovery`` makes one, and ``ProviderProfile`` for a provider without metadata.
struct VerifiedServer: Sendable {
    /// The server's name, character by character, as its ID tokens must contain it.
    let issuer: String
    /// The endpoint that gives codes; `nil` when the server has no such endpoint.
    var deviceAuthorization: Endpoint?
    /// The endpoint that asks a person whom a backend names; `nil` when the server does not offer it.
    var backchannel: Endpoint?
    /// The endpoint that asks for authorization in a browser; `nil` when the server has no such endpoint.
    var authorization: Endpoint?
    /// The endpoint for pushed authorization requests; `nil` when the server has none.
    /// Standard: RFC 9126 §5.
    var pushedAuthorization: Endpoint?
    /// Whether the server takes no authorization request that was not pushed. Standard: RFC 9126 §5.
    var requiresPushedAuthorization = false
    /// Whether answers of the authorization endpoint name the issuer. Standard: RFC 9207 §3.
    var namesIssuer = false
    /// The endpoint that redeems codes and refresh tokens.
    let token: Endpoint
    /// The endpoint that revokes tokens; `nil` when the server has no such endpoint.
    var revocation: Endpoint?
    /// The page that ends the person's session in the browser; `nil` when the server has none.
    /// Standard: OpenID Connect RP-Initiated Logout 1.0 §2.1.
    var endSession: Endpoint?
    /// The endpoint that tells of the person of an access token; `nil` when the server has none.
    /// Standard: OpenID Connect Core 1.0 §5.3.
    var userInfo: Endpoint?
    /// The address of the public keys; `nil` when the metadata name none.
    var keys: Endpoint?
    /// The endpoint that gives nonces for token exchange; `nil` when the server gives none. An addition of Countersign.
    var exchangeNonce: Endpoint?
    /// The methods of client authentication at the token endpoint; `nil` if unknown.
    var tokenMethods: [String]?
    /// The methods of client authentication at the revocation endpoint; `nil` if unknown.
    var revocationMethods: [String]?
    /// Whether the server binds tokens to keys of the kind that this library has. Standard: RFC 9449 §5.1.
    var bindsTokens = false
    /// Whether the server repeats a lost answer to the token request with the same identifier. An addition of
    /// Countersign.
    var takesRequestIDs = false
    /// The longest time of a service, in seconds; `nil` where there are none. An addition of Countersign.
    var longestService: Int?
}
