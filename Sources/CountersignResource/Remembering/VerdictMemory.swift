internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Remembers for a while what tokens are worth, by their digests.
///
/// Good tokens and others are kept apart, so that whoever makes tokens up does not displace those that are good.
struct VerdictMemory: Sendable {
    private let limits: MemoryLimits
    private var good: RecentVerdicts
    private var notGood: RecentVerdicts

    init(_ limits: MemoryLimits) {
        self.limits = limits
        good = RecentVerdicts(capacity: limits.capacity)
        notGood = RecentVerdicts(capacity: limits.capacity)
    }

    /// How many verdicts are kept, those that are too old included.
    var count: Int { good.count + notGood.count }

    /// What was said about a token, if that counts still.
    mutating func recall(_ token: SecretDigest, at now: Date) -> TokenVerdict? {
        good.recall(token, at: now) ?? notGood.recall(token, at: now)
    }

    /// Remembers what was said about a token that was asked about at `asked`.
    mutating func remember(_ verdict: TokenVerdict, of token: SecretDigest, asked: Date) {
        switch verdict {
        case .good(let facts):
            let end = asked + limits.good
            good.keep(verdict, of: token, from: asked, until: facts.expires.map { min($0, end) } ?? end)
        case .notGood:
            notGood.keep(verdict, of: token, from: asked, until: asked + limits.notGood)
        }
    }
}

/// Verdicts in two generations: when the younger one is full it becomes the older one, and the older one is forgotten.
private struct RecentVerdicts: Sendable {
    private struct Kept {
        let verdict: TokenVerdict
        let from: Date
        let until: Date
    }

    private let half: Int
    private var young: [SecretDigest: Kept] = [:]
    private var old: [SecretDigest: Kept] = [:]

    init(capacity: Int) {
        half = max(1, capacity / 2)
    }

    var count: Int { young.count + old.count }

    /// A verdict counts in its span only: before it, the clock was set back.
    mutating func recall(_ token: SecretDigest, at now: Date) -> TokenVerdict? {
        guard let kept = young[token] ?? old[token] else { return nil }
        guard kept.from <= now, now < kept.until else {
            young[token] = nil
            old[token] = nil
            return nil
        }
        if young[token] == nil { put(kept, of: token) }
        return kept.verdict
    }

    mutating func keep(_ verdict: TokenVerdict, of token: SecretDigest, from: Date, until: Date) {
        guard from < until else { return }
        put(Kept(verdict: verdict, from: from, until: until), of: token)
    }

    private mutating func put(_ kept: Kept, of token: SecretDigest) {
        old[token] = nil
        if young.count >= half, young[token] == nil {
            old = young
            young = [:]
        }
        young[token] = kept
    }
}
