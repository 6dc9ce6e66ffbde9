internal import Countersign
internal import Foundation

/// Holds what can be guessed and what can be flooded to its limits.
///
/// Counting happens inside the change that depends on it, so limits are exact under concurrency and the same on every
/// node. What was right is not counted among guesses, and does not make the count forget what was wrong.
struct Limits: Sendable {
    let table: LimitTable
    let clock: TimeSource
    /// Hears of everything that is turned away.
    var refused: @Sendable (LimitName) -> Void = { _ in }

    /// Turns away who has reached a limit; counts nothing.
    ///
    /// - Throws: ``LimitReached``.
    func admit(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys {
            guard let limit = table[rateKey], let count = try repositories.counts.find(rateKey.countKey),
                count.times >= limit.most, count.ends > now, count.ends <= now + Double(limit.seconds)
            else { continue }
            throw reached(rateKey, until: count.ends, at: now)
        }
    }

    /// Counts, and refuses what exceeds a limit; then nothing is counted, since the change is rolled back.
    ///
    /// What is not known to be wrong yet is recorded in the audit by ``recordReached(_:in:)`` once it is.
    /// - Throws: ``LimitReached``.
    func admitAndCount(
        _ rateKeys: [RateLimitKey],
        isKnownWrong: Bool = true,
        in repositories: any Repositories
    ) throws {
        let now = clock.now()
        for rateKey in rateKeys {
            guard let limit = table[rateKey] else { continue }
            let count =
                isKnownWrong
                ? try add(1, to: rateKey, limit, in: repositories, at: now)
                : try repositories.counts.add(1, to: rateKey.countKey, lasting: Double(limit.seconds), at: now)
            guard count.times <= limit.most else { throw reached(rateKey, until: count.ends, at: now) }
        }
    }

    /// Counts a failure that ``admit(_:in:)`` let through in the same change.
    func count(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys {
            guard let limit = table[rateKey] else { continue }
            _ = try add(1, to: rateKey, limit, in: repositories, at: now)
        }
    }

    /// Counts `times` that were let through already, and returns how many there are now.
    func count(_ times: Int, to rateKey: RateLimitKey, _ limit: Limit, in repositories: any Repositories) throws
        -> Count
    {
        try add(times, to: rateKey, limit, in: repositories, at: clock.now())
    }

    /// Takes back what ``admitAndCount(_:in:)`` counted before it was known to be right.
    func takeBack(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys {
            guard let limit = table[rateKey] else { continue }
            _ = try repositories.counts.add(-1, to: rateKey.countKey, lasting: Double(limit.seconds), at: now)
        }
    }

    private func add(
        _ times: Int,
        to rateKey: RateLimitKey,
        _ limit: Limit,
        in repositories: any Repositories,
        at now: Date
    ) throws -> Count {
        let count = try repositories.counts.add(times, to: rateKey.countKey, lasting: Double(limit.seconds), at: now)
        if count.times >= limit.most, count.times - times < limit.most {
            try recordReached(rateKey, limit, in: repositories, at: now)
        }
        return count
    }

    /// Writes down of which rateKeys the last one that was counted was the last that goes.
    func recordReached(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys {
            guard let limit = table[rateKey], try repositories.counts.find(rateKey.countKey)?.times == limit.most else {
                continue
            }
            try recordReached(rateKey, limit, in: repositories, at: now)
        }
    }

    private func recordReached(
        _ rateKey: RateLimitKey,
        _ limit: Limit,
        in repositories: any Repositories,
        at now: Date
    ) throws {
        try repositories.record(
            AuditEntry.Facts(
                at: now,
                .limitReached,
                by: .server,
                subject: rateKey.subject,
                client: rateKey.client,
                address: rateKey.address,
                detail: "\(rateKey.limit) \(limit)"
            )
        )
    }

    /// The refusal of what was counted until `end`.
    func reached(_ rateKey: RateLimitKey, until end: Date, at now: Date) -> LimitReached {
        refused(rateKey.limit)
        return LimitReached(limit: rateKey.limit, retryAfter: max(1, Int(end.timeIntervalSince(now).rounded(.up))))
    }
}
