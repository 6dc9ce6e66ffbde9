internal import CountersignWire

/// A server whose metadata were verified: it is the issuer that was asked for, and its endpoints may be used.
///
/// Only ``Discovery`` makes one, and ``ProviderProfile`` for a provider without metadata.
struct AuthorizationServer: Sendable {
    /// The server's name, character by character, as its ID tokens must contain it.
    let issuer: String
    /// Where codes are requested; `nil` when the server has no such endpoint.
    var deviceAuthorization: Endpoint?
    /// Where a person is asked for whom a backend names; `nil` when the server does not offer it.
    var backchannelAuthentication: Endpoint?
    /// Where a browser asks for authorization; `nil` when the server has no such endpoint.
    var authorization: Endpoint?
    /// The endpoint for pushed authorization requests; `nil` when the server has none.
    /// Standard: RFC 9126 §5.
    var pushedAuthorization: Endpoint?
    /// Whether the server takes no authorization request that was not pushed. Standard: RFC 9126 §5.
    var requiresPushedAuthorization = false
    /// Whether answers of the authorization endpoint name the issuer. Standard: RFC 9207 §3.
    var namesIssuer = false
    /// Where codes and refresh tokens are redeemed.
    let token: Endpoint
    /// Where tokens are revoked; `nil` when the server has no such endpoint.
    var revocation: Endpoint?
    /// Where the public keys are; `nil` when the metadata name none.
    var keys: Endpoint?
    /// Where nonces for token exchange are given; `nil` when the server gives none. An addition of Countersign.
    var exchangeNonce: Endpoint?
    /// How clients may authenticate at the token endpoint; `nil` when the metadata do not say.
    var tokenMethods: [String]?
    /// How clients may authenticate at the revocation endpoint; `nil` when the metadata do not say.
    var revocationMethods: [String]?
    /// Whether the server binds tokens to keys of the kind that this library has. Standard: RFC 9449 §5.1.
    var bindsTokens = false
    /// Whether the server repeats a lost answer to the token request with the same identifier. An addition of
    /// Countersign.
    var takesRequestIDs = false
}
