internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decides how often and when a failed step is repeated.
struct Attempts: Sendable, Equatable {
    /// The longest time before the next attempt, whatever a server asks for, because a person is waiting.
    static let longestRest = Duration.seconds(60)

    /// The largest number of attempts.
    let limit: Int
    /// The number of attempts so far.
    private(set) var made = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a failed attempt, and returns how long to wait before the next one, twice as long each time; `nil` to
    /// give up.
    mutating func fail(retryAfter: RetryAfter?) -> Duration? {
        made += 1
        guard made < limit else { return nil }
        let backedOff = Duration.seconds(1 << min(made - 1, 6))
        let asked = Duration.seconds(retryAfter?.seconds ?? 0)
        guard asked <= Self.longestRest else { return nil }
        return min(max(backedOff, asked), Self.longestRest)
    }
}

/// Repeats a step while it fails temporarily, with growing delays, a few times.
struct Persistence: Sendable {
    let limit: Int
    let clock: TimeSource
    /// Reports the failure, and when the next attempt is.
    let announce: @Sendable (SignInEvent) async -> Void

    /// Returns the result of the step.
    ///
    /// - Throws: ``SignInError`` of the last attempt, or `cancelled` at once when the task is cancelled.
    func attempt<Value: Sendable>(
        _ step: () async throws(StepFailure) -> Value
    ) async throws(SignInError) -> Value {
        var attempts = Attempts(limit: limit)
        while true {
            let trouble: Trouble
            let pause: Duration
            do throws(StepFailure) {
                return try await step()
            } catch {
                switch error {
                case .final(let failure):
                    throw failure
                case .trouble(let met, let retryAfter, let reason):
                    guard let next = attempts.fail(retryAfter: retryAfter) else {
                        throw SignInError(lasting: met, because: reason)
                    }
                    (trouble, pause) = (met, next)
                case .tooFast(let failure, let retryIn):
                    guard let next = attempts.fail(retryAfter: retryIn) else { throw failure }
                    (trouble, pause) = (.busy, next)
                }
            }
            let next = clock.now().addingTimeInterval(pause / .seconds(1))
            await announce(.trouble(trouble, retryingAt: next))
            try await clock.rest(until: clock.instant() + pause)
        }
    }
}
