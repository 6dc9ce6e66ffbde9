internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Verifies the proofs that go with tokens that are bound to keys, and refuses those that were used before.
///
/// Standard: RFC 9449 §4.3, §7.1, §11.1.
actor ProofVerifier {
    private let origin: WebOrigin
    private let nonces: DPoPNonces?
    private var used: ReplayMemory

    init(at origin: WebOrigin, nonces: DPoPNonces?, capacity: Int) {
        self.origin = origin
        self.nonces = nonces
        used = ReplayMemory(capacity: capacity)
    }

    /// The key that a request proves; its proof is used up by this.
    ///
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, `use_dpop_nonce`.
    func key(
        provenBy request: Request,
        presenting token: AccessToken,
        at now: Date
    ) throws(OAuthError) -> KeyThumbprint {
        guard let proof = try UnverifiedDPoPProof(in: request.headers) else {
            throw OAuthError(.invalidDPoPProof, "a DPoP header is needed", because: "no proof beside the token")
        }
        guard let target = DPoPTarget(request.method, origin.rawValue + request.uri.path) else {
            throw OAuthError(.invalidDPoPProof, because: "the path is in no URL")
        }
        let freshness: DPoPFreshness =
            if let nonces { .byNonce(isRequired: true) { nonces.made($0, at: now) } } else { .byTime }
        let verified = try proof.verified(for: target, presenting: token, freshBy: freshness, at: now)
        return try used.use(verified, freshBy: freshness, at: now)
    }

    /// The nonce for the client's next proof; `nil` where no nonces are asked for.
    nonisolated func nonce(at now: Date) -> DPoPNonce? { nonces?.nonce(at: now) }
}
