internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOConcurrencyHelpers

/// The requests that are answered on the thread of their connection, without the router and without a task.
///
/// A request takes this path when it is plain and everything that it needs is in memory. Otherwise it goes to the router
/// from its beginning, and nothing was counted yet. The path carries requests, and decides nothing: each endpoint has one
/// core that both ways call, and a test holds both to the same bytes, header fields, counts and figures.
///
/// It is kept where it pays, in microseconds of processor time for a request at 64 connections (`Benchmarks/results`,
/// with the router alone in the first run of 2026-11-21 and with this path in the second; a bare endpoint of the same
/// framework takes 32 to 36, or 36 to 40 with a form):
///
/// | request | router | here | why it stays |
/// | --- | --- | --- | --- |
/// | introspection | 72 | 38 | 35 % of a bare endpoint's requests become 90 % |
/// | pending poll | 69 | 35 | 36 % become 92 % |
/// | held poll | 30 KB | 7 KB | the memory of a task, for each screen that waits |
/// | metadata, keys | 35, 40 | 17, 20 | 60 % and 52 % are below the target of 70 %; no logic is doubled |
struct FastPath: Sendable {
    /// What is done at once with a request; `nil`, or an error, leaves it to the router.
    typealias Answering = @Sendable (FastPathRequest) throws -> FastPathOutcome?

    /// One address.
    struct Route: Sendable {
        fileprivate let answer: Answering
        let meter: RouteMeter
    }

    let clock: TimeSource
    let logger: Logger
    private let metrics: ServerMetrics
    private var routes: [HTTPRequest.Method: [String: Route]] = [:]
    private let date = NIOLockedValueBox((second: Int.min, text: ""))

    init(clock: TimeSource, metrics: ServerMetrics, logger: Logger) {
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
    }

    /// Answers `method` at `path`, which is the whole path of the address; it is counted as `route`.
    mutating func add(_ method: HTTPRequest.Method, _ path: String, as route: String, _ answer: @escaping Answering) {
        let meter = RouteMeter(route: route, method: method.rawValue, metrics: metrics)
        routes[method, default: [:]][path] = Route(answer: answer, meter: meter)
    }

    /// The route of a request; `nil` for those of the router.
    func route(of head: HTTPRequest) -> Route? {
        guard let path = head.path else { return nil }
        return routes[head.method]?[path]
    }

    /// What is done at once with a request; `nil` where the router answers it.
    func outcome(of request: FastPathRequest, at route: Route) -> FastPathOutcome? {
        (try? route.answer(request)) ?? nil
    }

    /// The logger of a request. It gets the request's name where that will be read: with each line at the level `debug`,
    /// and with the lines about work that may fail.
    func logger(isNamed: Bool = false) -> Logger {
        guard isNamed || logger.logLevel <= .debug else { return logger }
        var logger = logger
        logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
        return logger
    }

    /// The head of an answer as it goes out.
    func head(of answer: JSONAnswer, logger: Logger) -> HTTPResponse {
        var fields = answer.headers
        fields.append(HTTPField(name: .contentLength, value: String(answer.body.readableBytes)))
        fields.append(HTTPField(name: .date, value: today()))
        if answer.status.code >= 500 { fields[.xRequestID] = logger[metadataKey: "hb.request.id"]?.description }
        return HTTPResponse(status: answer.status, headerFields: fields)
    }

    /// The date as HTTP writes it, which is the same for a second.
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

/// What is done with a request on the fast path.
enum FastPathOutcome: Sendable {
    case answer(JSONAnswer)
    /// It is held open.
    case wait(any FastPathWait)
    /// It needs the store after all, when it was counted already; the answer follows.
    case later(@Sendable (Logger) async -> JSONAnswer)
}

/// A request that is held open at its connection: thousands of screens wait like this, and a task would take more memory
/// than all the rest of a connection.
protocol FastPathWait: Sendable {
    /// How much longer it is held at most.
    var rest: Duration { get }
    /// Whether there is still nothing but to wait, as far as is in memory.
    var isPending: Bool { get }
    /// Begins to wait; `nil` when that is not possible.
    func begin() -> Waiting?
    /// Ends a wait.
    func end(_ waiting: Waiting)
    /// Looks at what is waited for; `nil` when there is still nothing but to wait.
    func look(_ logger: Logger) async -> JSONAnswer?
    /// The answer after a wait that ended for this reason; `nil` when it has to be looked at again.
    func answer(after end: Waiting.End, _ logger: Logger) -> JSONAnswer?
    /// The answer to a request that cannot be held.
    func answerWithoutWaiting(_ logger: Logger) -> JSONAnswer
}
