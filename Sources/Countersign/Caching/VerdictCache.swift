package import FoundationEssentialsCompat

/// Caches for a while what tokens are worth, by their digests.
///
/// Good tokens and others are cached apart, so that made-up tokens do not displace good ones.
package struct VerdictCache<Verdict: Sendable>: Sendable {
    /// A verdict, and the span of its validity.
    private struct Entry {
        let verdict: Verdict
        let from: Date
        let until: Date
    }

    private var good: SecondChanceCache<SecretDigest, Entry>
    private var notGood: SecondChanceCache<SecretDigest, Entry>

    /// Makes an empty cache.
    ///
    /// - Parameter capacity: The maximum number of good tokens, and of tokens that are not good.
    package init(capacity: Int) {
        good = SecondChanceCache(capacity: capacity)
        notGood = SecondChanceCache(capacity: capacity)
    }

    /// The number of cached verdicts, including expired ones.
    package var count: Int { good.count + notGood.count }

    /// The verdict on a token, if a cached one counts at `now`.
    package mutating func verdict(on token: SecretDigest, at now: Date) -> Verdict? {
        Self.verdict(on: token, in: &good, at: now) ?? Self.verdict(on: token, in: &notGood, at: now)
    }

    /// Caches the verdict on a token, which counts in a span; an empty span leaves everything as it was.
    package mutating func put(_ verdict: Verdict, isGood: Bool, on token: SecretDigest, from: Date, until: Date) {
        guard from < until else { return }
        let entry = Entry(verdict: verdict, from: from, until: until)
        if isGood {
            good.put(entry, for: token)
        } else {
            notGood.put(entry, for: token)
        }
    }

    /// A verdict counts in its span only: a time before it means that the clock was set back.
    private static func verdict(
        on token: SecretDigest,
        in cache: inout SecondChanceCache<SecretDigest, Entry>,
        at now: Date
    ) -> Verdict? {
        guard let entry = cache.use(token) else { return nil }
        guard entry.from <= now, now < entry.until else {
            cache.remove(token)
            return nil
        }
        return entry.verdict
    }
}
