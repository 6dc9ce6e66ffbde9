internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Verifies ID tokens of one issuer for one client, by ``ReadIDToken``.
///
/// Standard: OpenID Connect Core 1.0 §3.1.3.7.
struct IDTokenVerifier: Sendable {
    /// The issuer that the token must name, exactly as the metadata spell it.
    let issuer: String
    /// The client that must be in the token's audience.
    let client: ClientID
    /// The keys that the server published.
    let keys: JSONWebKeySet
    /// What the token must repeat; `nil` when the request had no `nonce`.
    var nonce: PendingSignIn.Nonce?
    /// The access token that came with it.
    var accessToken: AccessToken?

    /// Verifies `token` as of `now`: form, type, algorithm, key, signature and claims.
    ///
    /// - Throws: ``SignInError`` `identity_refused` with the first thing that is wrong.
    func verify(_ token: UnverifiedIDToken, at now: Date) throws(SignInError) -> VerifiedIdentity {
        var demands = ReadIDToken.Demands(issuer: issuer, clients: [client], nonce: nonce?.revealed)
        demands.accessToken = accessToken
        do throws(IDTokenRefusal) {
            let token = try ReadIDToken(token)
            let key = keys.key(for: token.algorithm, named: token.keyID)
            return VerifiedIdentity(verified: try token.verified(by: key, meeting: demands, at: now).claims)
        } catch {
            throw SignInError(.identityRefused, because: "ID token: \(error.reason)")
        }
    }
}
