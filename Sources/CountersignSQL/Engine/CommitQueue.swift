package import Countersign
internal import CountersignStorage
internal import NIOConcurrencyHelpers

/// The queue between the callers of changes and the one writer of an engine, which sleeps while none waits.
///
/// The writer takes changes in order of arrival, in batches. It may wait for a commit without end; a task refuses the
/// changes that wait for too long, and answers the callers of a batch that takes too long.
package final class CommitQueue<Connection: SQLConnection>: Sendable {
    /// The next step of the writer.
    package enum Step {
        case commit([PendingChange<Connection>])
        /// None waits; ``add(_:)`` signals when to continue.
        case sleep
        /// The store is closed and none waits; the writer calls ``end()``.
        case end
    }

    private struct State {
        var queue: ChangeQueue<PendingChange<Connection>>
        /// Answers callers that wait for too long; `nil` while there is no change.
        var timer: Task<Void, Never>?
        var isWriting = false
        var isClosed = false
        var hasEnded = false
        var whenEnded: [CheckedContinuation<Void, Never>] = []

        /// Whether the writer sleeps and has to be woken.
        mutating func mustWake() -> Bool {
            defer { isWriting = true }
            return !isWriting
        }

        /// Records that the writer has ended, or is not waited for; returns who waited for it.
        mutating func end() -> [CheckedContinuation<Void, Never>] {
            hasEnded = true
            timer?.cancel()
            defer { whenEnded = [] }
            return whenEnded
        }
    }

    private let clock: TimeSource
    private let state: NIOLockedValueBox<State>

    /// Makes an empty queue, whose writer sleeps.
    ///
    /// - Parameters:
    ///   - longestWait: The time that a change waits for its batch to begin, at most.
    ///   - longestCommit: The time that a batch may take until its callers are answered; `nil` waits for it.
    package init(longestWait: Duration, longestCommit: Duration? = nil, clock: TimeSource) {
        self.clock = clock
        state = NIOLockedValueBox(State(queue: ChangeQueue(longestWait: longestWait, longestCommit: longestCommit)))
    }

    /// Puts a change in the queue, or refuses it; returns whether the writer has to be woken.
    package func add(_ change: PendingChange<Connection>) -> Bool {
        let (refusal, mustWake): ((any Error)?, Bool) = state.withLockedValue { state in
            guard !state.isClosed else { return (StoreClosedError(), false) }
            guard state.queue.append(change) else { return (StoreQueue.full, false) }
            if state.timer == nil {
                state.timer = OverdueTimer.run(by: clock) { [weak self] in self?.answerOverdue() }
            }
            return (nil, state.mustWake())
        }
        if let refusal { change.refuse(refusal) }
        return mustWake
    }

    /// The time since the oldest uncommitted change was asked for.
    package var oldestAge: Duration {
        let now = clock.instant()
        return state.withLockedValue { $0.queue.age(at: now) }
    }

    /// Whether the writer sleeps.
    package var isAsleep: Bool { state.withLockedValue { !$0.isWriting && !$0.isClosed } }

    /// The next step of the writer: the changes that wait, oldest first, `most` of them at most.
    package func next(atMost most: Int) -> Step {
        state.withLockedValue { state in
            let batch = state.queue.takeBatch(of: most, at: clock.instant())
            guard batch.isEmpty else { return .commit(batch) }
            state.isWriting = state.isClosed
            return state.isClosed ? .end : .sleep
        }
    }

    /// Records that the writer has ended.
    package func end() {
        for caller in state.withLockedValue({ $0.end() }) { caller.resume() }
    }

    /// Accepts no more changes, and returns when the writer has committed those in the queue and has ended. A commit of
    /// which all callers were answered is not waited for.
    ///
    /// - Parameter wake: Wakes the writer, if it sleeps.
    package func close(_ wake: () -> Void) async {
        await withCheckedContinuation { caller in
            let (hasEnded, mustWake) = state.withLockedValue { state in
                state.isClosed = true
                if !state.hasEnded { state.whenEnded.append(caller) }
                return (state.hasEnded, state.mustWake())
            }
            if mustWake { wake() }
            if hasEnded { caller.resume() }
        }
    }

    /// Answers callers that have waited for too long; returns when to check again, `nil` when there is no change.
    private func answerOverdue() -> ContinuousClock.Instant? {
        typealias OverdueResult = (
            overdue: OverdueChanges<PendingChange<Connection>>, next: ContinuousClock.Instant?,
            released: [CheckedContinuation<Void, Never>]
        )
        let now = clock.instant()
        let found: OverdueResult = state.withLockedValue { state in
            let overdue = state.queue.takeOverdue(at: now)
            let mustEnd = state.isClosed && state.queue.hasOnlyOverdueBatch
            let next = mustEnd ? nil : state.queue.nextCheck(after: now)
            if next == nil { state.timer = nil }
            return (overdue, next, mustEnd ? state.end() : [])
        }
        found.overdue.answer()
        for caller in found.released { caller.resume() }
        return found.next
    }
}
