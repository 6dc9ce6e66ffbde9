internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Caches for a while what tokens are worth, by their digests.
///
/// Good tokens and others are cached apart, so that made-up tokens do not displace good ones.
struct TokenCheckCache: Sendable {
    /// A verdict, and the span in which it counts.
    private struct Entry {
        let verdict: TokenVerdict
        let from: Date
        let until: Date
    }

    private let limits: TokenCacheLimits
    private var good: TwoGenerationCache<SecretDigest, Entry>
    private var notGood: TwoGenerationCache<SecretDigest, Entry>

    init(_ limits: TokenCacheLimits) {
        self.limits = limits
        // Two generations hold twice what each of them does.
        good = TwoGenerationCache(capacity: limits.capacity / 2)
        notGood = TwoGenerationCache(capacity: limits.capacity / 2)
    }

    /// How many verdicts are cached, those that are too old included.
    var count: Int { good.count + notGood.count }

    /// The verdict on a token, if a cached one counts at `now`.
    mutating func verdict(on token: SecretDigest, at now: Date) -> TokenVerdict? {
        Self.verdict(on: token, in: &good, at: now) ?? Self.verdict(on: token, in: &notGood, at: now)
    }

    /// Caches the verdict on a token that was asked for at `asked`.
    mutating func put(_ verdict: TokenVerdict, on token: SecretDigest, asked: Date) {
        switch verdict {
        case .good(let facts):
            let end = asked + limits.good
            let entry = Entry(verdict: verdict, from: asked, until: facts.expires.map { min($0, end) } ?? end)
            if entry.from < entry.until { good.put(entry, for: token) }
        case .notGood:
            let entry = Entry(verdict: verdict, from: asked, until: asked + limits.notGood)
            if entry.from < entry.until { notGood.put(entry, for: token) }
        }
    }

    /// A verdict counts in its span only: a time before it means that the clock was set back.
    private static func verdict(
        on token: SecretDigest,
        in cache: inout TwoGenerationCache<SecretDigest, Entry>,
        at now: Date
    ) -> TokenVerdict? {
        guard let entry = cache.use(token) else { return nil }
        guard entry.from <= now, now < entry.until else {
            cache.remove(token)
            return nil
        }
        return entry.verdict
    }
}
