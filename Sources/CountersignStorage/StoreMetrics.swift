package import CoreMetrics
internal import Metrics

/// The metrics of a store; the same for every kind of store.
package struct StoreMetrics: Sendable {
    private let changes: Recorder
    private let commits: Timer
    private let reads: Recorder
    private let failedReads: Counter
    private let failedChanges: Counter

    package init(_ factory: any MetricsFactory) {
        changes = Recorder(label: "countersign_store_commit_changes", factory: factory)
        commits = Timer(label: "countersign_store_commit_duration_seconds", factory: factory)
        reads = Recorder(label: "countersign_store_snapshot_reads", factory: factory)
        let failures = "countersign_store_failures_total"
        failedReads = Counter(label: failures, dimensions: [("operation", "read")], factory: factory)
        failedChanges = Counter(label: failures, dimensions: [("operation", "change")], factory: factory)
    }

    /// Counts nothing.
    package static let none = StoreMetrics(NOOPMetricsHandler.instance)

    /// Notes a commit and the number of changes in it.
    package func committed(_ count: Int, in span: Duration) {
        changes.record(count)
        commits.record(duration: span)
    }

    /// Notes the number of look-ups that shared a snapshot.
    package func answered(_ count: Int) {
        reads.record(count)
    }

    package func readFailed() { failedReads.increment() }

    package func changeFailed() { failedChanges.increment() }
}
