package import FoundationEssentialsCompat

/// Remembers the proofs that were used in a bounded amount of memory, and refuses one that comes again.
///
/// A proof from before the memory began may have been used with the previous process, and is refused too: by the time
/// of its nonce, or else by its own time, in whole seconds. A proof without a nonce, made with a fast clock, carries a
/// later time than that of its use; only nonces exclude this.
///
/// Standard: RFC 9449 §11.1.
package struct DPoPProofMemory: Sendable {
    private var memory: ReplayMemory
    private var began: Date

    /// An empty memory.
    ///
    /// - Parameter capacity: The number of proofs that it remembers at least; twice as many at most.
    package init(capacity: Int, since now: Date) {
        memory = ReplayMemory(capacity: capacity)
        began = now
    }

    /// Uses a proof up, and returns the thumbprint of its key.
    ///
    /// - Throws: ``OAuthError`` `invalid_dpop_proof` for a proof that was used before. For one that may have been used
    ///   and forgotten, `use_dpop_nonce` where the receiver gives nonces: with one, the next proof is newer than all of
    ///   those.
    package mutating func use(
        _ proof: VerifiedDPoPProof,
        freshBy freshness: DPoPFreshness,
        at now: Date
    ) throws(OAuthError) -> KeyThumbprint {
        // The beginning is in the future after the clock was set back.
        began = min(began, now)
        let finding = isOlder(proof) ? .tooOld : memory.use(proof.digest, made: proof.made, at: now)
        guard finding != .new else { return proof.thumbprint }
        guard finding == .tooOld, freshness.givesNonces else {
            throw OAuthError(.invalidDPoPProof, "the proof was used before", because: "a replayed proof: \(finding)")
        }
        throw OAuthError(.useDPoPNonce, "the proof needs the nonce of this answer", because: "too old")
    }

    /// Whether the proof was made before the memory began. Nonces hold their time in milliseconds, proofs in seconds.
    private func isOlder(_ proof: VerifiedDPoPProof) -> Bool {
        guard proof.nonce == nil else { return proof.made < began - 0.001 }
        let signed = proof.made + DPoPFreshness.leeway
        return signed.timeIntervalSince1970 < began.timeIntervalSince1970.rounded(.down)
    }
}
