internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Enforces rate limits, counting in the store.
///
/// Counting happens inside the change that depends on it, so limits are exact under concurrency and the same on every
/// node. A correct attempt is not counted as a guess, and does not reset the count of wrong ones.
///
/// Beyond a limit everything is refused. Limits that are paced refuse earlier (``LeakyBucket``), newcomers later than
/// others (``RateLimitKey/sparing(_:)``).
struct StoredRateLimiter: Sendable {
    let table: LimitTable
    let clock: TimeSource
    /// Called for every refusal.
    var refused: @Sendable (LimitName) -> Void = { _ in }
    /// Called when a limit that many share is reached, once in its span.
    var flooded: @Sendable (LimitName) -> Void = { _ in }
    /// Tells the operator's webhook of such a limit.
    var alarms = LimitAlarms(isOn: false)
    /// The networks that go on longest when such a limit is reached.
    let known = KnownNetworks()

    /// Throws if one of the keys has reached its limit; counts nothing.
    ///
    /// - Throws: ``LimitReached``.
    func admit(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys.withWider {
            if let end = try end(of: rateKey, in: repositories, at: now) {
                throw reached(rateKey, until: end, at: now)
            }
        }
    }

    /// Those keys that have reached their limit.
    func reached(among rateKeys: [RateLimitKey], in repositories: any Repositories) throws -> [RateLimitKey] {
        let now = clock.now()
        return try rateKeys.filter { try end(of: $0, in: repositories, at: now) != nil }
    }

    /// Until when a key is refused; `nil` when it is not.
    private func end(of rateKey: RateLimitKey, in repositories: any Repositories, at now: Date) throws -> Date? {
        guard let limit = table[rateKey], let count = try repositories.counts.find(rateKey.countKey) else { return nil }
        if count.isCurrent(in: limit, at: now), count.times >= limit.most { return count.ends }
        guard rateKey.isPaced,
            let end = LeakyBucket(limit, keepingHalf: rateKey.pacesNewcomers).next(after: count, at: now)
        else { return nil }
        guard let newcomer = rateKey.newcomerKey else { return end }
        let own = try repositories.counts.find(newcomer).map { $0.isCurrent(in: limit, at: now) ? $0.times : 0 } ?? 0
        guard own < RateLimitKey.few else { return end }
        return rateKey.pacesNewcomers ? LeakyBucket(limit).next(after: count, at: now) : nil
    }

    /// Counts, and throws when a limit is exceeded; then nothing is counted, since the change is rolled back.
    ///
    /// When `isKnownWrong` is false, the caller audits a limit that was reached with ``recordReached(_:in:)``, once the
    /// attempt turns out to be wrong.
    /// - Throws: ``LimitReached``.
    func admitAndCount(
        _ rateKeys: [RateLimitKey],
        isKnownWrong: Bool = true,
        in repositories: any Repositories
    ) throws {
        let now = clock.now()
        let network = rateKeys.lazy.compactMap(\.network).first
        var share = NetworkShare(isKnown: { [known] in network.map(known.contains) ?? false })
        for rateKey in rateKeys.withWider {
            guard let limit = table[rateKey] else { continue }
            if rateKey.isPaced, let end = try end(of: rateKey, in: repositories, at: now) {
                throw reached(rateKey, until: end, at: now)
            }
            let count =
                isKnownWrong
                ? try add(1, to: rateKey, limit, in: repositories, at: now)
                : try put(1, to: rateKey, limit, in: repositories, at: now)
            if rateKey.address != nil { share.note(count.times, of: limit) }
            guard count.times <= limit.most || share.admits(count.times, to: rateKey, limit) else {
                throw reached(rateKey, until: count.ends, at: now)
            }
        }
    }

    /// Counts an attempt in a browser in which the person signed in before under a key of its own, so that strangers
    /// who guess elsewhere do not lock them out there; once that is used up, and in every other browser, under the
    /// usual keys.
    ///
    /// - Returns: The keys under which the attempt counts.
    /// - Throws: ``LimitReached``.
    func admitAndCount(
        own: RateLimitKey?,
        otherwise usual: [RateLimitKey],
        in repositories: any Repositories
    ) throws -> [RateLimitKey] {
        let rateKeys: [RateLimitKey]
        if let own, try end(of: own, in: repositories, at: clock.now()) == nil {
            rateKeys = [own]
        } else {
            rateKeys = usual
        }
        try admitAndCount(rateKeys, isKnownWrong: false, in: repositories)
        return rateKeys
    }

    /// Counts a failure after ``admit(_:in:)`` in the same change.
    func count(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys.withWider {
            guard let limit = table[rateKey] else { continue }
            _ = try add(1, to: rateKey, limit, in: repositories, at: now)
        }
    }

    /// Counts `times` attempts that were already admitted, and returns the new count.
    func count(_ times: Int, to rateKey: RateLimitKey, _ limit: Limit, in repositories: any Repositories) throws
        -> RateCounter
    {
        try add(times, to: rateKey, limit, in: repositories, at: clock.now())
    }

    /// Takes back what ``admitAndCount(_:in:)`` counted, once the attempt turns out to be right.
    func takeBack(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys.withWider {
            guard let limit = table[rateKey] else { continue }
            _ = try put(-1, to: rateKey, limit, in: repositories, at: now)
        }
    }

    private func put(
        _ times: Int,
        to rateKey: RateLimitKey,
        _ limit: Limit,
        in repositories: any Repositories,
        at now: Date
    ) throws -> RateCounter {
        let span = Double(limit.seconds)
        // The larger networks share the second count of the one that is counted first.
        if rateKey.factor == 1, let newcomer = rateKey.newcomerKey {
            _ = try repositories.counts.add(times, to: newcomer, lasting: span, at: now)
        }
        return try repositories.counts.add(
            times,
            to: rateKey.countKey,
            lasting: span,
            leaking: rateKey.isPaced ? LeakyBucket(limit).pause : nil,
            at: now
        )
    }

    private func add(
        _ times: Int,
        to rateKey: RateLimitKey,
        _ limit: Limit,
        in repositories: any Repositories,
        at now: Date
    ) throws -> RateCounter {
        let count = try put(times, to: rateKey, limit, in: repositories, at: now)
        let mostForAll = rateKey.mostForAll(of: limit)
        if count.times >= mostForAll, count.times - times < mostForAll {
            if rateKey.raisesAlarm {
                flooded(rateKey.limit)
                try alarms.tell(of: rateKey, until: count.ends, at: now, in: repositories)
            }
            try recordReached(rateKey, limit, in: repositories, at: now)
        }
        return count
    }

    /// Audits each key whose count has just reached its limit.
    func recordReached(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys.withWider {
            guard let limit = table[rateKey],
                try repositories.counts.find(rateKey.countKey)?.times == rateKey.mostForAll(of: limit)
            else { continue }
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

    /// The refusal for a key whose counter runs until `end`.
    func reached(_ rateKey: RateLimitKey, until end: Date, at now: Date) -> LimitReached {
        refused(rateKey.limit)
        return LimitReached(limit: rateKey.limit, retryAfter: max(1, Int(end.timeIntervalSince(now).rounded(.up))))
    }
}

extension LeakyBucket {
    /// When the next attempt may be made after those that were counted; `nil` when it may be made now.
    fileprivate func next(after count: RateCounter, at now: Date) -> Date? {
        next(drained: count.drained(at: now, lasting: span), at: now)
    }
}

extension RateCounter {
    fileprivate func isCurrent(in limit: Limit, at now: Date) -> Bool {
        Self.isCurrent(until: ends, lasting: Double(limit.seconds), at: now)
    }
}
