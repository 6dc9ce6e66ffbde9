internal import CountersignWire

/// A server whose metadata were verified: it is the issuer that was asked for, and its endpoints may be used.
///
/// Only ``Discovery`` makes one.
struct AuthorizationServer: Sendable {
    /// The server's name, character by character, as its ID tokens must contain it.
    let issuer: String
    let deviceAuthorization: Endpoint
    let token: Endpoint
    let revocation: Endpoint?
    let keys: Endpoint?
    let tokenMethods: [String]?
    let revocationMethods: [String]?
}
