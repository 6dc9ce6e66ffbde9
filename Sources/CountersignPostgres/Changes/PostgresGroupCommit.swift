#if PostgreSQL
internal import Countersign
internal import CountersignSQL
internal import Dispatch
internal import Foundation

/// Collects the changes that arrive while a commit runs, and commits them together.
///
/// One thread takes them from the queue, in order of arrival, and passes them to ``BatchWriter`` in batches. It may
/// wait for a commit without end, as for a synchronous standby that is away; a task answers the callers then.
final class PostgresGroupCommit: Sendable {
    typealias Change = PendingChange<PostgresConnection>

    /// The most changes in one transaction.
    static let largestBatch = 128

    private let queue: CommitQueue<PostgresConnection>
    private let work = DispatchSemaphore(value: 0)

    /// Starts the thread; `writer` creates the batch writer on it.
    init(clock: TimeSource, timeouts: Timeouts, writer: @escaping @Sendable () -> BatchWriter) {
        queue = CommitQueue(longestWait: timeouts.caller, longestCommit: timeouts.commit, clock: clock)
        let thread = Thread { self.commitUntilClosed(by: writer()) }
        thread.name = "pg-writer"
        thread.start()
    }

    /// Puts a change in the queue, and wakes the writer if it sleeps.
    func add(_ change: Change) {
        if queue.add(change) { work.signal() }
    }

    /// The time since the oldest uncommitted change was asked for.
    var oldestAge: Duration { queue.oldestAge }

    /// Accepts no more changes, and returns when those in the queue are done and the connection is closed. A commit of
    /// which all callers were answered is not waited for.
    func close() async {
        await queue.close { work.signal() }
    }

    private func commitUntilClosed(by writer: BatchWriter) {
        work.wait()
        while true {
            switch queue.next(atMost: Self.largestBatch) {
            case .commit(let batch): writer.commit(batch)
            case .sleep: work.wait()
            case .end:
                writer.close()
                return queue.end()
            }
        }
    }
}
#endif
