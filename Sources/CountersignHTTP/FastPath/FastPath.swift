package import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
package import HTTPTypes
internal import Hummingbird
package import Logging
internal import NIOConcurrencyHelpers

/// Answers some requests on the thread of their connection, without the router and without a task.
///
/// A request takes this path when it is plain and everything that it needs is in memory, or can be looked up at once.
/// Refresh tokens, client credentials and the starts of devices, which are written, get a task of their own here. The
/// router handles all others, and nothing was counted before. The path makes no decisions: it calls the same code as
/// the endpoint, and a test checks that both give the same bytes, header fields, counts and metrics.
///
/// Its routes are those where it pays, in microseconds of processor time for a request at 64 connections
/// (`Benchmarks/results`, with the router alone in the first run of 2026-11-21 and with this path in the second; a bare
/// endpoint of the same framework takes 32 to 36, or 36 to 40 with a form):
///
/// | request | router | here | why it stays |
/// | --- | --- | --- | --- |
/// | introspection | 72 | 38 | 35 % of a bare endpoint's requests become 90 % |
/// | pending poll | 69 | 35 | 36 % become 92 % |
/// | held poll | 30 KB | 7 KB | the memory of a task, for each screen that waits |
/// | device start | 100 | 83 | a sixth of the processor time of what every screen begins with |
/// | metadata, keys | 35, 40 | 17, 20 | 60 % and 52 % are below the target of 70 %; no logic is doubled |
/// | refresh | 125 | 103 to 123 | up to a sixth of the processor time, with code that client credentials need |
/// | client credentials: opaque, ES256 | 64, 88 | 45, 67 | a third and a quarter of the processor time |
///
/// Refresh and client credentials were measured on 2026-11-27, when a bare endpoint took 20, or 22 with a form.
package struct FastPath: Sendable {
    /// Handles a request at once; when it returns `nil` or throws, the router handles the request.
    package typealias Answering = @Sendable (FastPathRequest) throws -> FastPathOutcome?

    /// The handler of one path and method, with its metrics.
    struct Route: Sendable {
        fileprivate let answer: Answering
        let meter: RouteMeter
    }

    let clock: TimeSource
    let logger: Logger
    private let metrics: ServerMetrics
    private var routes: [HTTPRequest.Method: [String: Route]] = [:]
    private let date = NIOLockedValueBox((second: Int.min, text: ""))

    package init(clock: TimeSource, metrics: ServerMetrics, logger: Logger) {
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
    }

    /// Adds a handler of `method` at `path`, which includes the issuer's path; its requests count as `route`.
    package mutating func add(
        _ method: HTTPRequest.Method,
        _ path: String,
        as route: String,
        _ answer: @escaping Answering
    ) {
        let meter = RouteMeter(route: route, method: method.rawValue, metrics: metrics)
        routes[method, default: [:]][path] = Route(answer: answer, meter: meter)
    }

    /// The route of a request; `nil` for those of the router.
    func route(of head: HTTPRequest) -> Route? {
        guard let path = head.path else { return nil }
        return routes[head.method]?[path]
    }

    /// The outcome of a request; `nil` when the router has to answer it.
    func outcome(of request: FastPathRequest, at route: Route) -> FastPathOutcome? {
        (try? route.answer(request)) ?? nil
    }

    /// The logger of a request, with the request's identifier only where it will be logged: at the level `debug`, and
    /// for work that may fail.
    func logger(isNamed: Bool = false) -> Logger {
        guard isNamed || logger.logLevel <= .debug else { return logger }
        var logger = logger
        logger[metadataKey: Logger.requestID] = .stringConvertible(RequestID())
        return logger
    }

    /// The head of an answer as it is sent.
    func head(of answer: JSONResponse, logger: Logger) -> HTTPResponse {
        var fields = answer.headers
        fields.append(HTTPField(name: .contentLength, value: String(answer.body.readableBytes)))
        fields.append(HTTPField(name: .date, value: today()))
        if answer.status.code >= 500 { fields[.xRequestID] = logger[metadataKey: Logger.requestID]?.description }
        return HTTPResponse(status: answer.status, headerFields: fields)
    }

    /// The `Date` header, formatted once a second.
    ///
    /// Standard: RFC 9110 §5.6.7.
    private func today() -> String {
        let now = clock.now()
        let second = Int(now.timeIntervalSince1970.rounded(.down))
        return date.withLockedValue { date in
            if date.second != second { date = (second, HTTPDate.text(of: now)) }
            return date.text
        }
    }
}

/// The outcome of the fast path for a request.
package enum FastPathOutcome: Sendable {
    case answer(JSONResponse)
    /// The request is held open.
    case wait(any FastPathWait)
    /// The request was counted, but needs the store; a task makes the answer.
    case later(@Sendable (Logger) async -> JSONResponse)
}

/// A request that is held open at its connection, without a task, which would take more memory than the rest of the
/// connection: thousands of screens wait like this.
package protocol FastPathWait: Sendable {
    /// The latest time of the answer, by the clock that never jumps.
    var end: ContinuousClock.Instant { get }
    /// Whether the request is still pending, according to the cached rows.
    var isPending: Bool { get }
    /// Begins to wait; `nil` when no more requests can be held.
    func begin() -> ChangeWaiter?
    /// Ends a wait.
    func end(_ waiting: ChangeWaiter)
    /// Checks the request in the store; `nil` when it is still pending.
    func look(_ logger: Logger) async -> JSONResponse?
    /// The answer after a wait that ended for this reason; `nil` when the store has to be checked again.
    func answer(after end: ChangeWaiter.End, _ logger: Logger) -> JSONResponse?
    /// The answer to a request that cannot be held.
    func answerWithoutWaiting(_ logger: Logger) -> JSONResponse
}
