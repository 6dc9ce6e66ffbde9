internal import NIOConcurrencyHelpers

/// Lets one task of this process at a time hold the lock of a key; the others wait in a queue.
package final class Turns<Key: Hashable & Sendable>: Sendable {
    /// The others did not finish in time.
    package struct TooLate: Error {}

    /// A task in the queue.
    private struct Waiter {
        let number: Int
        let turn: CheckedContinuation<Void, any Error>
    }

    /// What happened to a task that wanted the lock.
    private enum Entry { case turn, cancelled, waiting }

    /// The queues.
    private struct State {
        /// The line behind whoever has the turn; no line where nobody has it.
        var lines: [Key: [Waiter]] = [:]
        var waitersEver = 0
    }

    private let state = NIOLockedValueBox(State())

    package init() {}

    /// Returns when the caller holds the lock; it must release it by ``end(_:)``.
    ///
    /// - Parameter limit: Returns when the wait is to end; without it the wait has no limit.
    /// - Throws: ``TooLate``, or `CancellationError` at once when the task is cancelled.
    package func begin(_ key: Key, noLongerThan limit: (@Sendable () async throws -> Void)? = nil) async throws {
        try Task.checkCancellation()
        guard !takeAtOnce(key) else { return }
        let number = state.withLockedValue { state in
            state.waitersEver += 1
            return state.waitersEver
        }
        var watch: Task<Void, Never>?
        defer { watch?.cancel() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { turn in
                enter(key, Waiter(number: number, turn: turn))
                // Not before: it has to find the waiter in line.
                watch = limit.map { limit in
                    Task {
                        guard (try? await limit()) != nil else { return }
                        self.leave(key, number, TooLate())
                    }
                }
            }
        } onCancel: {
            leave(key, number, CancellationError())
        }
    }

    /// Passes the lock to the first task in the queue.
    package func end(_ key: Key) {
        let next: Waiter? = state.withLockedValue { state in
            guard let line = state.lines[key], !line.isEmpty else {
                state.lines[key] = nil
                return nil
            }
            return state.lines[key]?.removeFirst()
        }
        next?.turn.resume()
    }

    /// The number of waiting tasks, for tests.
    package func waiting(for key: Key) -> Int {
        state.withLockedValue { $0.lines[key]?.count ?? 0 }
    }

    /// Takes the lock if it is free.
    private func takeAtOnce(_ key: Key) -> Bool {
        state.withLockedValue { state in
            guard state.lines[key] == nil else { return false }
            state.lines[key] = []
            return true
        }
    }

    /// Puts a task into the queue, unless the lock is free by now.
    private func enter(_ key: Key, _ waiter: Waiter) {
        let entry: Entry = state.withLockedValue { state in
            // Looked at under the lock: a cancellation from now on finds the waiter in line.
            if Task.isCancelled { return .cancelled }
            guard state.lines[key] != nil else {
                state.lines[key] = []
                return .turn
            }
            state.lines[key]?.append(waiter)
            return .waiting
        }
        switch entry {
        case .turn: waiter.turn.resume()
        case .cancelled: waiter.turn.resume(throwing: CancellationError())
        case .waiting: break
        }
    }

    /// Removes a task from the queue, and makes its wait throw.
    private func leave(_ key: Key, _ number: Int, _ reason: any Error) {
        let left: Waiter? = state.withLockedValue { state in
            guard let place = state.lines[key]?.firstIndex(where: { $0.number == number }) else { return nil }
            return state.lines[key]?.remove(at: place)
        }
        left?.turn.resume(throwing: reason)
    }
}
