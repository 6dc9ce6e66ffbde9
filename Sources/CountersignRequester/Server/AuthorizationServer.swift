internal import CountersignWire

/// A server whose description was checked: it is the issuer that was asked, and its endpoints may be talked to.
///
/// Made by ``Discovery`` only.
struct AuthorizationServer: Sendable {
    /// The name by which the server goes, letter by letter, as its ID tokens must give it.
    let issuer: String
    let deviceAuthorization: Endpoint
    let token: Endpoint
    let revocation: Endpoint?
    let keys: Endpoint?
    let tokenMethods: [String]?
    let revocationMethods: [String]?
}
