/// The limits that a node also counts in its memory; see ``LimitRule/isRemembered``.
package struct LimitMemory: Sendable {
    let requests: RequestRateLimiter
    let wrongProofs: WrongProofLimiter

    /// Forgets the counts and blocks of keys at this node.
    func forget(_ rateKeys: [RateLimitKey]) {
        requests.forget(rateKeys)
        wrongProofs.forget(rateKeys)
    }
}
