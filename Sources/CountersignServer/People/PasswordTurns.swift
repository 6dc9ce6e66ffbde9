internal import Countersign
internal import NIOConcurrencyHelpers

/// Lets tasks hash passwords a few at a time, in the order of ``FairQueue``.
final class PasswordTurns: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var queue: FairQueue<Int>
        var waiters: [Int: Waiter] = [:]
        var last = 0
    }

    private let state: NIOLockedValueBox<State>

    init(serving: Int, holding: Int, reserving: Int) {
        let queue = FairQueue<Int>(serving: serving, holding: holding, reserving: reserving)
        state = NIOLockedValueBox(State(queue: queue))
    }

    /// The number of tasks that hash or wait.
    var count: Int { state.withLockedValue { $0.queue.count } }

    /// Returns when it is this task's turn, which it has to ``end()``.
    ///
    /// - Parameter person: The person whose known browser asks; `nil`, the default, when none does.
    /// - Throws: ``RateLimitError`` when it cannot wait, or gives way to a task of another network or person.
    func turn(of network: String, inKnownBrowserOf person: Subject? = nil) async throws {
        try await withCheckedThrowingContinuation { (waiter: Waiter) in
            let (enqueued, gone) = state.withLockedValue { state -> (FairQueue<Int>.EnqueueResult, Waiter?) in
                state.last += 1
                let enqueued = state.queue.enter(state.last, from: network, inKnownBrowserOf: person)
                switch enqueued {
                case .waits:
                    state.waiters[state.last] = waiter
                    return (enqueued, nil)
                case .waitsInsteadOf(let other):
                    state.waiters[state.last] = waiter
                    return (enqueued, state.waiters.removeValue(forKey: other))
                case .isServed, .refused: return (enqueued, nil)
                }
            }
            let refusal = RateLimitError(.passwordQueue, retryAfter: 5)
            switch enqueued {
            case .isServed: waiter.resume()
            case .refused: waiter.resume(throwing: refusal)
            case .waits, .waitsInsteadOf: gone?.resume(throwing: refusal)
            }
        }
    }

    /// Ends a turn, and lets the next task begin its own.
    func end() {
        let next = state.withLockedValue { state in
            state.queue.leave().flatMap { state.waiters.removeValue(forKey: $0) }
        }
        next?.resume()
    }
}
