internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// Verifies the proofs of key-bound tokens, and refuses replayed ones.
///
/// Standard: RFC 9449 §4.3, §7.1, §11.1.
actor ProofVerifier {
    private let origin: WebOrigin
    private let nonces: DPoPNonces?
    private var used: DPoPProofMemory

    init(at origin: WebOrigin, nonces: DPoPNonces?, capacity: Int, since now: Date) {
        self.origin = origin
        self.nonces = nonces
        used = DPoPProofMemory(capacity: capacity, since: now)
    }

    /// The proof of a request, which is verified without being stored: a stranger without a valid token must not fill
    /// the memory.
    ///
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, `use_dpop_nonce`.
    nonisolated func proof(
        of request: Request,
        presenting token: AccessToken,
        at now: Date
    ) throws(OAuthError) -> VerifiedDPoPProof {
        guard let proof = try UnverifiedDPoPProof(in: request.headers) else {
            throw OAuthError(.invalidDPoPProof, "a DPoP header is needed", because: "no proof beside the token")
        }
        guard let target = DPoPTarget(request.method, origin.rawValue + request.uri.path) else {
            throw OAuthError(.invalidDPoPProof, because: "the path is in no URL")
        }
        return try proof.verified(for: target, presenting: token, freshBy: freshness(at: now), at: now)
    }

    /// Uses up a proof of the key that a good token is bound to.
    ///
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, `use_dpop_nonce`.
    func use(_ proof: VerifiedDPoPProof, at now: Date) throws(OAuthError) {
        _ = try used.use(proof, freshBy: freshness(at: now), at: now)
    }

    private nonisolated func freshness(at now: Date) -> DPoPFreshness {
        guard let nonces else { return .byTime }
        return .byNonce(isRequired: true) { nonces.made($0, at: now) }
    }

    /// The nonce for the client's next proof; `nil` if no nonces are required.
    nonisolated func nonce(at now: Date) -> DPoPNonce? { nonces?.nonce(at: now) }
}
