internal import Countersign
internal import FoundationEssentialsCompat

/// Caches for a while what tokens are worth, as the limits say.
struct TokenCheckCache: Sendable {
    private let limits: TokenCacheLimits
    private var verdicts: VerdictCache<TokenVerdict>

    init(_ limits: TokenCacheLimits) {
        self.limits = limits
        verdicts = VerdictCache(capacity: limits.capacity)
    }

    /// The number of cached verdicts, including expired ones.
    var count: Int { verdicts.count }

    /// The verdict on a token, if a cached one counts at `now`.
    mutating func verdict(on token: SecretDigest, at now: Date) -> TokenVerdict? {
        verdicts.verdict(on: token, at: now)
    }

    /// Caches the verdict on a token that was requested at `asked`.
    mutating func put(_ verdict: TokenVerdict, on token: SecretDigest, asked: Date) {
        switch verdict {
        case .good(let facts):
            let end = asked + limits.good
            let until = facts.expires.map { min($0, end) } ?? end
            verdicts.put(verdict, isGood: true, on: token, from: asked, until: until)
        case .notGood:
            verdicts.put(verdict, isGood: false, on: token, from: asked, until: asked + limits.notGood)
        }
    }
}
