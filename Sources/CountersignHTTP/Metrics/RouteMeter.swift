internal import Atomics
internal import CoreMetrics
package import HTTPTypes
internal import Logging
internal import Metrics

/// The metrics of one method of one route.
package final class RouteMeter: Sendable {
    let route: String
    private let method: String
    private let metrics: ServerMetrics
    /// Created on first use, like the counters, so that unused routes do not appear in the metrics.
    private let duration = ManagedAtomicLazyReference<Timer>()
    /// The counters of answers, created with the first one.
    private let answered = ManagedAtomicLazyReference<StatusCounters>()

    package init(route: String, method: String, metrics: ServerMetrics) {
        self.route = route
        self.method = method
        self.metrics = metrics
    }

    /// Notes that a request is being answered.
    func begin() {
        metrics.inFlight.increment()
    }

    /// Counts an answer, and logs it at the level `debug`.
    func end(_ status: HTTPResponse.Status, isHeld: Bool, in span: Duration, logger: Logger) {
        metrics.inFlight.decrement()
        (isHeld ? metrics.waited : timer).record(duration: span)
        count(status)
        logger.debug(
            "answered",
            metadata: [
                "method": "\(method)", "route": "\(route)", "status": "\(status.code)", "took": "\(span)",
            ]
        )
    }

    private var timer: Timer {
        duration.load()
            ?? duration.storeIfNilThenLoad(
                Timer(
                    label: "countersign_http_request_duration_seconds",
                    dimensions: [("route", route)],
                    factory: metrics.factory
                )
            )
    }

    /// Counts an answer without timing it.
    package func count(_ status: HTTPResponse.Status) {
        let kind = min(max(status.code / 100, 1), 5)
        let place = (answered.load() ?? answered.storeIfNilThenLoad(StatusCounters())).counters[kind - 1]
        let counter =
            place.load()
            ?? place.storeIfNilThenLoad(
                Counter(
                    label: "countersign_http_requests_total",
                    dimensions: [("route", route), ("method", method), ("status", "\(kind)xx")],
                    factory: metrics.factory
                )
            )
        counter.increment()
    }
}

/// One counter for each class of status, created on first use.
private final class StatusCounters: Sendable {
    let counters = (1...5).map { _ in ManagedAtomicLazyReference<Counter>() }
}

extension HTTPField.Name {
    static let xRequestID = HTTPField.Name("X-Request-ID")!
}
