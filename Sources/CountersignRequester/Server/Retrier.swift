internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The pauses before further attempts at a step: twice as long each time, for a bounded number of attempts.
struct Backoff: Sendable, Equatable {
    /// The longest pause, whatever a server asks for: a person waits at the screen.
    static let longestPause = Duration.seconds(60)

    let limit: Int
    /// The number of failed attempts.
    private(set) var made = 0

    /// Begins before the first attempt.
    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a failed attempt; returns the pause before the next one, or `nil` to give up.
    mutating func fail(retryAfter: RetryAfter?) -> Duration? {
        made += 1
        guard made < limit else { return nil }
        let backedOff = Duration.seconds(1 << min(made - 1, 6))
        let asked = Duration.seconds(retryAfter?.seconds ?? 0)
        guard asked <= Self.longestPause else { return nil }
        return min(max(backedOff, asked), Self.longestPause)
    }
}

/// Repeats a step that failed for a reason that may pass, with a ``Backoff`` between the attempts.
struct Retrier: Sendable {
    /// The number of attempts.
    let limit: Int
    /// The source of time, for the pauses.
    let clock: TimeSource
    /// Is called before each pause with the failure and the date of the next attempt.
    let announce: @Sendable (SignInEvent) async -> Void

    /// Runs the step until it succeeds, fails permanently, or was tried as often as allowed.
    ///
    /// - Throws: ``SignInError`` of the last attempt, or `cancelled` at once when the task is cancelled.
    func attempt<Value: Sendable>(_ step: () async throws(StepError) -> Value) async throws(SignInError) -> Value {
        var backoff = Backoff(limit: limit)
        while true {
            let temporaryFailure: TemporaryFailure
            let pause: Duration
            do throws(StepError) {
                return try await step()
            } catch {
                switch error {
                case .final(let failure):
                    throw failure
                case .temporaryFailure(let met, let retryAfter, let reason):
                    guard let next = backoff.fail(retryAfter: retryAfter) else {
                        throw SignInError(lasting: met, because: reason)
                    }
                    (temporaryFailure, pause) = (met, next)
                case .tooFast(let failure, let retryIn):
                    guard let next = backoff.fail(retryAfter: retryIn) else { throw failure }
                    (temporaryFailure, pause) = (.busy, next)
                }
            }
            let next = clock.now().addingTimeInterval(pause / .seconds(1))
            await announce(.temporaryFailure(temporaryFailure, retryingAt: next))
            try await clock.rest(until: clock.instant() + pause)
        }
    }
}
