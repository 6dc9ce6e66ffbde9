internal import CoreMetrics
internal import NIOConcurrencyHelpers
internal import NIOCore

/// The finished spans that wait for the collector, up to a bound; further ones are dropped and counted.
package final class SpanQueue: Sendable {
    /// The largest number of spans that wait, about two megabytes.
    package static let capacity = 4096

    private let spans = NIOLockedValueBox(CircularBuffer<FinishedSpan>())
    private let capacity: Int
    private let metrics: TraceMetrics

    package init(_ metrics: TraceMetrics, capacity: Int = SpanQueue.capacity) {
        self.metrics = metrics
        self.capacity = capacity
    }

    func add(_ span: FinishedSpan) {
        let isFull = spans.withLockedValue { spans in
            guard spans.count < capacity else { return true }
            spans.append(span)
            return false
        }
        if isFull { metrics.dropped.increment() }
    }

    /// Removes the oldest spans.
    ///
    /// - Parameter most: The largest number of spans.
    package func take(_ most: Int) -> [FinishedSpan] {
        spans.withLockedValue { spans in
            let taken = Array(spans.prefix(most))
            spans.removeFirst(taken.count)
            return taken
        }
    }
}
