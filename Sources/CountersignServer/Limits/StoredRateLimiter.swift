internal import Countersign
internal import Foundation

/// Enforces rate limits, counting in the store.
///
/// Counting happens inside the change that depends on it, so limits are exact under concurrency and the same on every
/// node. A correct attempt is not counted as a guess, and does not reset the count of wrong ones.
///
/// Beyond a limit everything is refused. Some limits refuse earlier: those that are paced (``LeakyBucket``), and those
/// of which half is kept for newcomers (``RateLimitKey/sparing(_:)``).
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
        let isCurrent = count.isCurrent(in: limit, at: now)
        if isCurrent, count.times >= limit.most { return count.ends }
        let end: Date?
        if rateKey.isPaced {
            end = count.drained.flatMap { drained in
                // One that takes longer than a span was counted before the clock was set back.
                drained > now + Double(limit.seconds) ? nil : LeakyBucket(limit).next(drained: drained, at: now)
            }
        } else {
            end = isCurrent && count.times >= rateKey.mostForAll(of: limit) ? count.ends : nil
        }
        guard let end else { return nil }
        guard let newcomer = rateKey.newcomerKey else { return end }
        let own = try repositories.counts.find(newcomer).map { $0.isCurrent(in: limit, at: now) ? $0.times : 0 } ?? 0
        return own < RateLimitKey.few ? nil : end
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
            if rateKey.refusesEarly, let end = try end(of: rateKey, in: repositories, at: now) {
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

extension RateCounter {
    fileprivate func isCurrent(in limit: Limit, at now: Date) -> Bool {
        Self.isCurrent(until: ends, lasting: Double(limit.seconds), at: now)
    }
}
