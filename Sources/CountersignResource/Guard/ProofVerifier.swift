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
    private var used: ReplayMemory

    init(at origin: WebOrigin, capacity: Int) {
        self.origin = origin
        used = ReplayMemory(capacity: capacity)
    }

    /// The key that a request proves; its proof is used up by this.
    ///
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`.
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
        let verified = try proof.verified(for: target, presenting: token, freshBy: .byTime, at: now)
        let finding = used.use(verified.digest, made: verified.made, at: now)
        guard finding == .new else {
            throw OAuthError(.invalidDPoPProof, because: "the proof was used before: \(finding)")
        }
        return verified.thumbprint
    }
}
