internal import CountersignWire

/// A server whose metadata were verified: it is the issuer that was asked for, and its endpoints may be used.
///
/// Only ``Discovery`` makes one.
struct AuthorizationServer: Sendable {
    /// The server's name, character by character, as its ID tokens must contain it.
    let issuer: String
    /// Where codes are requested.
    let deviceAuthorization: Endpoint
    /// Where codes and refresh tokens are redeemed.
    let token: Endpoint
    /// Where tokens are revoked; `nil` when the server has no such endpoint.
    let revocation: Endpoint?
    /// Where the public keys are; `nil` when the metadata name none.
    let keys: Endpoint?
    /// How clients may authenticate at the token endpoint; `nil` when the metadata do not say.
    let tokenMethods: [String]?
    /// How clients may authenticate at the revocation endpoint; `nil` when the metadata do not say.
    let revocationMethods: [String]?
}
