internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Verifies ID tokens of one issuer for one client.
///
/// Standard: OpenID Connect Core 1.0 §3.1.3.7, RFC 7519 §7.2, RFC 8725 §3.
struct IDTokenVerifier: Sendable {
    /// The largest accepted difference between the two clocks, in seconds.
    static let leeway: TimeInterval = 60

    /// The issuer that the token must name, exactly as the metadata spell it.
    let issuer: String
    /// The client that must be in the token's audience.
    let client: ClientID
    /// The keys that the server published.
    let keys: JSONWebKeySet
    /// What the token must repeat; `nil` when the request had no `nonce`.
    var nonce: PendingSignIn.Nonce?

    /// Verifies `token` as of `now`: form, type, algorithm, key, signature and claims.
    ///
    /// - Throws: ``SignInError`` `identity_refused` with the first thing that is wrong.
    func verify(_ token: UnverifiedIDToken, at now: Date) throws(SignInError) -> VerifiedIdentity {
        guard let parts = CompactJWS(token.revealed) else { throw refused("it is no signed token") }
        guard let header = try? JSONDecoder().decode(CompactJWS.Header.self, from: Data(parts.headerBytes)) else {
            throw refused("its header cannot be read")
        }
        guard header.critical == nil else { throw refused("it needs extensions that are not known here") }
        guard (header.type ?? "JWT").lowercased() == "jwt" else { throw refused("it is another kind of token") }
        guard let algorithm = SigningAlgorithm(rawValue: header.algorithm) else {
            throw refused("its algorithm is not accepted")
        }
        guard let key = keys.key(for: algorithm, named: header.keyID) else { throw refused("its key is not known") }
        guard algorithm.verifies(parts.signature, over: parts.signedBytes, by: key) else {
            throw refused("its signature is wrong")
        }
        guard let claims = try? JSONDecoder().decode(IDTokenClaims.self, from: Data(parts.payload)) else {
            throw refused("its claims cannot be read")
        }
        try verify(claims, at: now)
        return VerifiedIdentity(verified: claims)
    }

    /// Verifies issuer, audience, times and subject.
    private func verify(_ claims: IDTokenClaims, at now: Date) throws(SignInError) {
        let seconds = now.timeIntervalSince1970
        guard claims.issuer == issuer else { throw refused("it is from another issuer") }
        guard claims.audience.names.contains(client.rawValue) else { throw refused("it is meant for another app") }
        guard Double(claims.expires) > seconds - Self.leeway else { throw refused("it has expired") }
        guard Double(claims.issued) <= seconds + Self.leeway else { throw refused("it is from the future") }
        if let nonce {
            // Compared in constant time.
            guard claims.nonce.map(PendingSignIn.Nonce.init(revealing:)) == nonce else {
                throw refused("it answers another request")
            }
        }
        guard (1...255).contains(claims.subject.rawValue.utf8.count) else { throw refused("it has no subject") }
    }

    /// The error with what is wrong, for the log.
    private func refused(_ reason: String) -> SignInError {
        SignInError(.identityRefused, because: "ID token: \(reason)")
    }
}
