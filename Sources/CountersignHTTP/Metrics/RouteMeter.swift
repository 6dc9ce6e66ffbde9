internal import Atomics
internal import CoreMetrics
package import HTTPTypes
internal import Logging
internal import Metrics
internal import Tracing

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
    ///
    /// - Parameters:
    ///   - fields: The header fields of the request.
    ///   - peer: The address of the peer; `nil` for a Unix domain socket.
    ///   - began: The time of its arrival.
    func begin(_ fields: HTTPFields, from peer: @autoclosure () -> String?, since began: ContinuousClock.Instant)
        -> MeasuredRequest
    {
        metrics.inFlight.increment()
        let span = metrics.tracing?.request("\(method) \(route)", fields, from: peer(), since: began)
        return MeasuredRequest(meter: self, began: began, span: span)
    }

    /// Counts an answer, ends its span, and logs it at the level `debug`.
    fileprivate func end(
        _ request: MeasuredRequest, _ status: HTTPResponse.Status, isHeld: Bool, in span: Duration, logger: Logger
    ) {
        metrics.inFlight.decrement()
        (isHeld ? metrics.waited : timer).record(duration: span)
        count(status)
        request.span?.end(
            [
                "http.request.method": .string(method == "other" ? "_OTHER" : method), "http.route": .string(route),
                "http.response.status_code": .int64(Int64(status.code)), "countersign.held": .bool(isHeld),
            ],
            failure: status.code >= 500 ? "\(status.code)" : nil)
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

/// A request that is being answered.
struct MeasuredRequest: Sendable {
    fileprivate let meter: RouteMeter
    private let began: ContinuousClock.Instant
    /// `nil` when the server makes no spans.
    let span: OpenSpan?

    fileprivate init(meter: RouteMeter, began: ContinuousClock.Instant, span: OpenSpan?) {
        self.meter = meter
        self.began = began
        self.span = span
    }

    /// Notes its answer.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - isHeld: Whether the request was held open; then its duration is no latency.
    ///   - now: The time of the answer.
    ///   - logger: The logger of the request.
    func end(_ status: HTTPResponse.Status, isHeld: Bool, at now: ContinuousClock.Instant, logger: Logger) {
        meter.end(self, status, isHeld: isHeld, in: now - began, logger: logger)
    }
}

/// One counter for each class of status, created on first use.
private final class StatusCounters: Sendable {
    let counters = (1...5).map { _ in ManagedAtomicLazyReference<Counter>() }
}

extension HTTPField.Name {
    static let xRequestID = HTTPField.Name("X-Request-ID")!
}
