internal import FoundationEssentialsCompat

/// Enforces limits by counts in the store.
///
/// The dependent change counts, so limits are exact under concurrency and the same on every node. A right guess is not
/// counted, and does not reset the count of wrong ones.
///
/// Limits on guesses delay the next attempt (``LeakyBucket``), that of newcomers later (``RateLimitKey/sparing(_:)``).
/// Alarms refuse nothing; all other limits refuse.
struct StoredRateLimiter: Sendable {
    let limits: Limits
    let clock: TimeSource
    /// Called when a limit is reached, once in its span.
    var reached: @Sendable (LimitRule) -> Void = { _ in }
    /// Called when a shared limit is reached, once in its span.
    var flooded: @Sendable (LimitRule) -> Void = { _ in }
    /// Notifies the operator's webhook of such a limit.
    var alarms: any LimitAlarming = NoAlarms()

    /// Throws if one of the keys has reached its limit; counts nothing.
    ///
    /// - Throws: ``RateLimitError``.
    func admit(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys.withWider {
            if let end = try end(of: rateKey, in: repositories, at: now) {
                throw RateLimitError(rateKey.rule, until: end, at: now)
            }
        }
    }

    /// Whether one of the keys has reached its limit.
    func isReached(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws -> Bool {
        let now = clock.now()
        return try rateKeys.withWider.contains { try end(of: $0, in: repositories, at: now) != nil }
    }

    /// The end of the refusal of a key; `nil` when it is not refused.
    func end(of rateKey: RateLimitKey, in repositories: any Repositories, at now: Date) throws -> Date? {
        guard let limit = limits[rateKey], let count = try repositories.counts.find(rateKey.countKey) else {
            return nil
        }
        switch rateKey.rule.declaration.manner {
        case .alarms: return nil
        case .refuses, .silences:
            return count.times(in: limit, at: now) >= limit.most ? count.ends : nil
        case .pauses: return TextPause(limit).next(after: count, at: now)
        case .delays:
            guard let end = LeakyBucket(limit).next(after: count, at: now) else { return nil }
            guard let newcomer = rateKey.newcomerKey, count.times(in: limit, at: now) < limit.most else { return end }
            let own = try repositories.counts.find(newcomer)?.times(in: limit, at: now) ?? 0
            return own < RateLimitKey.few ? nil : end
        }
    }

    /// Counts, and throws when a limit is exceeded; then nothing is counted, since the change is rolled back.
    ///
    /// If `isKnownWrong` is false, the caller audits a reached limit with ``recordReached(_:in:)`` after a wrong
    /// attempt.
    /// - Throws: ``RateLimitError``.
    func admitAndCount(
        _ rateKeys: [RateLimitKey], isKnownWrong: Bool = true, in repositories: any Repositories
    ) throws {
        try admit(rateKeys, in: repositories)
        try count(rateKeys, isKnownWrong: isKnownWrong, in: repositories)
    }

    /// Counts an attempt after ``admit(_:in:)`` in the same change.
    func count(_ rateKeys: [RateLimitKey], isKnownWrong: Bool = true, in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys.withWider {
            guard let limit = limits[rateKey] else { continue }
            _ =
                isKnownWrong
                ? try add(1, to: rateKey, limit, in: repositories, at: now)
                : try put(1, to: rateKey, limit, in: repositories, at: now)
        }
    }

    /// Counts admitted attempts, and returns the new count.
    func count(_ times: Int, to rateKey: RateLimitKey, _ limit: Limit, in repositories: any Repositories) throws
        -> RateCounter
    {
        try add(times, to: rateKey, limit, in: repositories, at: clock.now())
    }

    /// Reverts the count of ``admitAndCount(_:isKnownWrong:in:)`` after a right attempt.
    func takeBack(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys.withWider {
            guard let limit = limits[rateKey] else { continue }
            _ = try put(-1, to: rateKey, limit, in: repositories, at: now)
        }
    }

    private func put(
        _ times: Int, to rateKey: RateLimitKey, _ limit: Limit, in repositories: any Repositories, at now: Date
    ) throws -> RateCounter {
        let span = Double(limit.seconds)
        // The larger networks share the count of the newcomer.
        if rateKey.factor == 1, let newcomer = rateKey.newcomerKey {
            _ = try repositories.counts.add(times, to: newcomer, lasting: span, at: now)
        }
        return try repositories.counts.add(
            times, to: rateKey.countKey, lasting: span,
            leaking: try leak(of: rateKey, limit, adding: times, in: repositories, at: now), at: now)
    }

    /// The time for one event to leak out of a count, in seconds; `nil` for a count that does not leak.
    private func leak(
        of rateKey: RateLimitKey, _ limit: Limit, adding times: Int, in repositories: any Repositories, at now: Date
    ) throws -> TimeInterval? {
        switch rateKey.rule.declaration.manner {
        case .refuses, .silences, .alarms: return nil
        case .pauses:
            let sent = try repositories.counts.find(rateKey.countKey)?.times(in: limit, at: now) ?? 0
            return TextPause(limit).pause(afterSending: times < 0 ? sent - 1 : sent)
        case .delays:
            // Newcomers do not fill a full bucket, which would extend the announced waits of others.
            let bucket = LeakyBucket(limit)
            guard times > 0, let count = try repositories.counts.find(rateKey.countKey) else { return bucket.pause }
            return bucket.isFull(after: count, at: now) ? 0 : bucket.pause
        }
    }

    private func add(
        _ times: Int, to rateKey: RateLimitKey, _ limit: Limit, in repositories: any Repositories, at now: Date
    ) throws -> RateCounter {
        let count = try put(times, to: rateKey, limit, in: repositories, at: now)
        let mostForAll = rateKey.mostForAll(of: limit)
        if count.times >= mostForAll, count.times - times < mostForAll {
            try noteReached(rateKey, limit, until: count.ends, in: repositories, at: now)
        }
        return count
    }

    /// Notes each key whose count has just reached its limit.
    func recordReached(_ rateKeys: [RateLimitKey], in repositories: any Repositories) throws {
        let now = clock.now()
        for rateKey in rateKeys.withWider {
            guard let limit = limits[rateKey], let count = try repositories.counts.find(rateKey.countKey),
                count.times == rateKey.mostForAll(of: limit)
            else { continue }
            try noteReached(rateKey, limit, until: count.ends, in: repositories, at: now)
        }
    }

    /// Notes a reached limit once in its span: in the audit, in the metrics, and to the operator if it is shared.
    private func noteReached(
        _ rateKey: RateLimitKey, _ limit: Limit, until end: Date, in repositories: any Repositories, at now: Date
    ) throws {
        reached(rateKey.rule)
        if rateKey.rule.raisesAlarm {
            flooded(rateKey.rule)
            try alarms.tell(of: rateKey, until: end, at: now, in: repositories)
        }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now, .limitReached, by: .server, subject: rateKey.subject, client: rateKey.client,
                address: rateKey.address, detail: "\(rateKey.rule.rawValue) \(limit)")
        )
    }
}

extension RateCounter {
    /// The number of events in the span of a limit that lasts at `now`; 0 when it is over.
    fileprivate func times(in limit: Limit, at now: Date) -> Int {
        times(lasting: Double(limit.seconds), at: now)
    }
}
