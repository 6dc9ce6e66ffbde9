package import Countersign
internal import CountersignStorage
internal import NIOCore

/// A change in a ``ChangeQueue``.
package protocol QueuedChange: Sendable {
    /// The instant when its caller asked for it.
    var asked: ContinuousClock.Instant { get }
    /// Reports the error to the caller.
    var refuse: @Sendable (any Error) -> Void { get }
}

/// The uncommitted changes of a store: the pending ones, oldest first, and the batch that is being committed.
///
/// A database may take a commit and never answer it. So a change that waits for too long is taken out and refused, and
/// the callers of a batch that takes too long are answered, without an outcome, while it continues.
package struct ChangeQueue<Change: QueuedChange>: Sendable {
    private struct Batch: Sendable {
        let changes: [Change]
        let began: ContinuousClock.Instant
        /// Whether its callers were answered because it takes too long.
        var isOverdue = false
    }

    private let longestWait: Duration
    private let longestCommit: Duration?
    private var waiting = CircularBuffer<Change>()
    private var batch: Batch?

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - longestWait: The time that a change waits for its batch to begin, at most.
    ///   - longestCommit: The time that a batch may take until its callers are answered; `nil` waits for it.
    package init(longestWait: Duration, longestCommit: Duration? = nil) {
        self.longestWait = longestWait
        self.longestCommit = longestCommit
    }

    /// Appends a change; returns `false` when too many wait.
    package mutating func append(_ change: Change) -> Bool {
        guard waiting.count < StoreQueue.capacity else { return false }
        waiting.append(change)
        return true
    }

    /// Takes the oldest changes that wait, `most` of them at most, as the next batch. The batch before has ended.
    package mutating func takeBatch(of most: Int, at now: ContinuousClock.Instant) -> [Change] {
        let changes = Array(waiting.prefix(most))
        waiting.removeFirst(changes.count)
        batch = changes.isEmpty ? nil : Batch(changes: changes, began: now)
        return changes
    }

    /// The time since the oldest uncommitted change was asked for; zero when there is none.
    package func age(at now: ContinuousClock.Instant) -> Duration {
        let oldest = [batch?.changes.first?.asked, waiting.first?.asked].compactMap { $0 }.min()
        return oldest?.duration(to: now) ?? .zero
    }

    /// Takes out the changes that have waited for too long, and finds those whose batch takes too long, once.
    package mutating func takeOverdue(at now: ContinuousClock.Instant) -> OverdueChanges<Change> {
        let count = waiting.prefix { $0.asked.duration(to: now) >= longestWait }.count
        let waited = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        var committing: [Change] = []
        if let longestCommit, let batch, !batch.isOverdue, batch.began.duration(to: now) >= longestCommit {
            committing = batch.changes
            self.batch?.isOverdue = true
        }
        return OverdueChanges(waited: waited, committing: committing)
    }

    /// The next due time of ``takeOverdue(at:)``; `nil` while there is no change.
    package func nextCheck(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard batch != nil || !waiting.isEmpty else { return nil }
        // Until then nothing that begins from now on is overdue.
        var next = now + min(longestWait, longestCommit ?? longestWait)
        if let oldest = waiting.first { next = min(next, oldest.asked + longestWait) }
        if let longestCommit, let batch, !batch.isOverdue { next = min(next, batch.began + longestCommit) }
        return next
    }

    /// Whether every caller was answered, though the last batch has not ended.
    package var hasOnlyOverdueBatch: Bool { waiting.isEmpty && batch?.isOverdue == true }
}

/// The changes whose callers have waited for too long.
package struct OverdueChanges<Change: QueuedChange>: Sendable {
    /// They are in no batch, and are not made.
    package let waited: [Change]
    /// They are in a running batch: their outcome is unknown.
    package let committing: [Change]

    /// Answers the callers.
    package func answer() {
        for change in waited {
            change.refuse(StoreUnavailableError(.notDone, reason: "the commit before it takes too long"))
        }
        for change in committing {
            change.refuse(StoreUnavailableError(.outcomeUnknown, reason: "its commit takes too long"))
        }
    }
}

/// Checks for overdue changes while there are changes at all.
package enum OverdueTimer {
    /// Begins a task that calls `check` now, and again at each instant that it returns, until it returns `nil`.
    package static func run(
        by clock: TimeSource,
        _ check: @escaping @Sendable () -> ContinuousClock.Instant?
    ) -> Task<Void, Never> {
        // Detached, since it outlives the caller whose change begins it.
        Task.detached {
            while let next = check() {
                guard (try? await clock.sleep(until: next)) != nil else { return }
            }
        }
    }
}
