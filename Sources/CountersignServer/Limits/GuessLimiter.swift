internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Counts guesses before they are checked, so that concurrent ones cannot exceed a limit.
///
/// While an account is guessed at from many networks, one that it does not know waits for its turn: for two minutes at
/// most, and then it goes on, however many others wait. So no number of strangers keeps a person out who comes from a
/// new place.
struct GuessLimiter: Sendable {
    let store: any Store
    let limits: StoredRateLimiter

    /// For how long a turn can be taken, in seconds.
    private static let turnLifetime: TimeInterval = 600

    private enum Outcome: Sendable {
        case admitted([RateLimitKey])
        case waits(LimitReached)
    }

    /// Counts a guess.
    ///
    /// - Returns: The keys under which it counts, to take it back once it turns out to be right.
    /// - Throws: ``LimitReached``; ``StoreUnavailable``.
    func admit(_ guess: Guess) async throws -> [RateLimitKey] {
        // A turn is noted though the guess has to wait, so the refusal is no error of the change.
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
                return .waits(LimitReached(rateKey.rule, until: due, at: now))
            }
        }
        try limits.count(rateKeys, isKnownWrong: false, in: repositories)
        return .admitted(rateKeys)
    }

    /// When the network may guess that has to wait; `nil` when it has waited, and takes its turn now.
    private func turn(
        of guess: Guess,
        until end: Date,
        in repositories: any Repositories,
        at now: Date
    ) throws -> Date? {
        let network = CountedAddress.text(of: guess.address)
        let key = RateCounterKey(CounterName.guessingTurn, of: "\(guess.rule.rawValue)\n\(guess.name)\n\(network)")
        if let turn = try repositories.counts.find(key), turn.times > 0,
            RateCounter.isCurrent(until: turn.ends, lasting: Self.turnLifetime, at: now)
        {
            if let due = turn.drained(at: now, lasting: LimitRule.longestDelay), due > now { return due }
            // Its span ends here: the next turn has one of its own.
            _ = try repositories.counts.add(-1, to: key, lasting: 0, leaking: 0, at: now)
            return nil
        }
        let wait = min(end.timeIntervalSince(now), LimitRule.longestDelay)
        let turn = try repositories.counts.add(1, to: key, lasting: Self.turnLifetime, leaking: wait, at: now)
        return turn.drained ?? end
    }
}
