internal import Atomics
internal import CoreMetrics
internal import Countersign
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Routes that count and time their requests.
///
/// Metric labels are fixed when the route is mounted, so counting needs no lookup.
struct MeasuredRoutes<Base: RouterMethods<ServerRequestContext>>: RouterMethods {
    typealias Context = ServerRequestContext

    let base: Base
    let metrics: ServerMetrics
    let clock: TimeSource

    @discardableResult
    func on<Responder: HTTPResponder>(
        _ path: RouterPath,
        method: HTTPRequest.Method,
        responder: Responder
    ) -> Self where Responder.Context == ServerRequestContext {
        let text = path.description
        let route = RouteMeter(
            route: text.hasPrefix("/") ? text : "/\(text)",
            // Requests that are refused for their method come as TRACE; they count as "other".
            method: method == .trace ? "other" : method.rawValue,
            metrics: metrics
        )
        base.on(path, method: method, responder: MeasuredResponder(base: responder, route: route, clock: clock))
        return self
    }

    @discardableResult
    func add(middleware: any MiddlewareProtocol<Request, Response, ServerRequestContext>) -> Self {
        _ = base.add(middleware: middleware)
        return self
    }
}

private struct MeasuredResponder<Base: HTTPResponder<ServerRequestContext>>: HTTPResponder {
    let base: Base
    let route: RouteMeter
    let clock: TimeSource

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        let began = clock.instant()
        route.begin()
        do {
            var response = try await base.respond(to: request, context: context)
            let isHeld = context.wasHeld.load(ordering: .relaxed)
            route.end(response.status, isHeld: isHeld, in: clock.instant() - began, logger: context.logger)
            if response.status.code >= 500 { response.headers[.xRequestID] = context.requestID }
            return response
        } catch {
            let status = (error as? any HTTPResponseError)?.status ?? .internalServerError
            route.end(status, isHeld: false, in: clock.instant() - began, logger: context.logger)
            throw error
        }
    }
}

/// The metrics of one method of one route.
final class RouteMeter: Sendable {
    let route: String
    private let method: String
    private let metrics: ServerMetrics
    /// Created on first use, like the counters, so that unused routes do not appear in the metrics.
    private let duration = ManagedAtomicLazyReference<Timer>()
    /// One counter for each class of status.
    private let answered = (1...5).map { _ in ManagedAtomicLazyReference<Counter>() }

    init(route: String, method: String, metrics: ServerMetrics) {
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
        (isHeld ? metrics.waited : timer).record(span)
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
    func count(_ status: HTTPResponse.Status) {
        let kind = min(max(status.code / 100, 1), 5)
        let place = answered[kind - 1]
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

extension HTTPField.Name {
    static let xRequestID = HTTPField.Name("X-Request-ID")!
}
