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

    /// Waits for the turn of this task, which has to ``end()`` it.
    ///
    /// - Parameter person: The person of the known browser; `nil`, the default, for another browser.
    /// - Throws: ``RateLimitError`` when the queue is full, or another task evicts this one.
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

    /// Ends a turn, and begins that of the next task.
    func end() {
        let next = state.withLockedValue { state in
            state.queue.leave().flatMap { state.waiters.removeValue(forKey: $0) }
        }
        next?.resume()
    }
}
