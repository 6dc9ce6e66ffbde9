internal import NIOConcurrencyHelpers

/// Waits for work that may not react to cancellation, such as a person at a screen.
enum Interruptible {
    /// Returns the result of `operation`; cancelling the task ends the wait at once, and cancels the operation.
    ///
    /// - Throws: ``SignInError`` `cancelled`.
    static func value<Value: Sendable>(
        _ operation: @escaping @Sendable () async -> Value
    ) async throws(SignInError) -> Value {
        let first = FirstOutcome<Value>()
        let work = Task { first.settle(await operation()) }
        let outcome: Value? = await withTaskCancellationHandler {
            await withCheckedContinuation { first.deliver(to: $0) }
        } onCancel: {
            work.cancel()
            first.settle(nil)
        }
        guard let outcome else { throw SignInError(.cancelled, because: "the task was cancelled") }
        return outcome
    }
}

/// Delivers the first outcome and drops later ones; `nil` means cancelled.
private final class FirstOutcome<Value: Sendable>: Sendable {
    /// The state of the delivery: each outcome is delivered once.
    private enum State {
        /// Neither.
        case open
        case awaited(CheckedContinuation<Value?, Never>)
        /// There is an outcome.
        case settled(Value?)
        /// The outcome was delivered.
        case delivered
    }

    private let state = NIOLockedValueBox(State.open)

    /// Sets the outcome, unless there is one already.
    func settle(_ outcome: Value?) {
        let waiting: CheckedContinuation<Value?, Never>? = state.withLockedValue { state in
            switch state {
            case .open:
                state = .settled(outcome)
                return nil
            case .awaited(let continuation):
                state = .delivered
                return continuation
            case .settled, .delivered:
                return nil
            }
        }
        waiting?.resume(returning: outcome)
    }

    /// Resumes the continuation with the outcome, now or when there is one.
    func deliver(to continuation: CheckedContinuation<Value?, Never>) {
        let settled: Value?? = state.withLockedValue { state in
            switch state {
            case .settled(let outcome):
                state = .delivered
                return .some(outcome)
            case .open, .awaited, .delivered:
                state = .awaited(continuation)
                return .none
            }
        }
        if let settled { continuation.resume(returning: settled) }
    }
}
