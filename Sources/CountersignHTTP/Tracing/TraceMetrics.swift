package import CoreMetrics

/// The counters of recorded spans.
package struct TraceMetrics: Sendable {
    /// The spans that the collector took.
    package let exported: Counter
    /// The spans that the collector did not take.
    package let failed: Counter
    /// The spans for which the queue had no place.
    let dropped: Counter

    package init(_ factory: any MetricsFactory) {
        let label = "countersign_trace_spans_total"
        exported = Counter(label: label, dimensions: [("outcome", "exported")], factory: factory)
        failed = Counter(label: label, dimensions: [("outcome", "failed")], factory: factory)
        dropped = Counter(label: label, dimensions: [("outcome", "dropped")], factory: factory)
    }
}
