internal import FoundationEssentialsCompat

/// Counts guesses before their verification, so that concurrent ones cannot exceed a limit.
///
/// While many networks guess a password, an unknown network waits for its turn, at most two minutes, regardless of the
/// number of others. So strangers cannot lock out a person in a new place. Each network has few turns a day, because
/// strangers may have many networks.
struct GuessLimiter: Sendable {
    let store: any Store
    let limits: StoredRateLimiter

    /// The maximum number of turns of one network in a day.
    static let mostTurns = 3
    /// A day, in seconds.
    private static let span: TimeInterval = 86_400

    private enum Outcome: Sendable {
        case admitted([RateLimitKey])
        case waits(RateLimitError)
    }

    /// Counts a guess.
    ///
    /// - Returns: The keys that counted it, for taking it back after a right guess.
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``.
    func admit(_ guess: Guess) async throws -> [RateLimitKey] {
        // The change stores the turn of a waiting guess, so the refusal must not roll it back.
        switch try await store.change({ try outcome(of: guess, in: $0) }) {
        case .admitted(let rateKeys): return rateKeys
        case .waits(let reached): throw reached
        }
    }

    private func outcome(of guess: Guess, in repositories: any Repositories) throws -> Outcome {
        let now = limits.clock.now()
        let rateKeys = try guess.rateKeys(in: repositories, at: now)
        let places = rateKeys.filter { $0.rule == .guessPerAddress }
        try limits.admit(places, in: repositories)
        for rateKey in rateKeys where rateKey.rule != .guessPerAddress {
            guard let end = try limits.end(of: rateKey, in: repositories, at: now) else { continue }
            if let due = try turn(of: guess, until: end, in: repositories, at: now) {
                return .waits(RateLimitError(rateKey.rule, until: due, at: now))
            }
        }
        try limits.count(rateKeys, isKnownWrong: false, in: repositories)
        return .admitted(rateKeys)
    }

    /// The time of a network's turn; `nil` when it takes its turn now.
    ///
    /// The count of a network grows at the start and at the use of a turn, so an odd count is an unused turn.
    private func turn(
        of guess: Guess, until end: Date, in repositories: any Repositories, at now: Date
    ) throws -> Date? {
        // Short codes are few: strangers with many networks would find one.
        guard guess.rule == .passwordPerAccount else { return end }
        let network = CountedAddress.widest(of: guess.address)
        let key = RateCounterKey(CounterName.guessingTurn, of: "\(guess.name)\n\(network)")
        let found = try repositories.counts.find(key)
        let times = found?.times(lasting: Self.span, at: now) ?? 0
        if times.isMultiple(of: 2) {
            guard times < 2 * Self.mostTurns else { return end }
            let wait = min(end.timeIntervalSince(now), LimitRule.longestDelay)
            return try repositories.counts.add(1, to: key, lasting: Self.span, leaking: wait, at: now).drained
        }
        if let due = found?.drained(at: now, lasting: LimitRule.longestDelay), due > now { return due }
        _ = try repositories.counts.add(1, to: key, lasting: Self.span, leaking: 0, at: now)
        return nil
    }
}
