internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import NIOConcurrencyHelpers

/// The addresses whose everyday answers are given at once, on the thread of the connection, without a task.
///
/// Introspections, polls of screens that wait, and the documents that say what the server offers are most of what a
/// server is asked, and nearly always all they need is in memory. Such a request goes from its last byte to its answer
/// in one go. Whatever else it turns out to be (a row that must be fetched, a code that was approved, a mistake, a limit)
/// goes the way of all requests, from the beginning, and nothing has happened yet that would then happen twice.
struct FastPath: Sendable {
    /// Answers a request or holds it, if that can be done at once; what it throws counts as "not at once".
    typealias Answering = @Sendable (FastPathRequest) throws -> FastPathOutcome?

    /// One address.
    struct Route: Sendable {
        fileprivate let answer: Answering
        fileprivate let meter: RouteMeter
    }

    let clock: TimeSource
    private let metrics: ServerMetrics
    private var routes: [HTTPRequest.Method: [String: Route]] = [:]
    private let date = NIOLockedValueBox((second: Int.min, text: ""))

    init(clock: TimeSource, metrics: ServerMetrics) {
        self.clock = clock
        self.metrics = metrics
    }

    /// Answers `method` at `path`, which is the whole path of the address; it is counted as `route`.
    mutating func add(_ method: HTTPRequest.Method, _ path: String, as route: String, _ answer: @escaping Answering) {
        let meter = RouteMeter(route: route, method: method.rawValue, metrics: metrics)
        routes[method, default: [:]][path] = Route(answer: answer, meter: meter)
    }

    /// Where a request goes; `nil` where nothing is answered at once.
    func route(of head: HTTPRequest) -> Route? {
        guard let path = head.path else { return nil }
        return routes[head.method]?[path]
    }

    /// What can be done at once with a request; `nil` where that is nothing.
    func outcome(of request: FastPathRequest, at route: Route) -> FastPathOutcome? {
        let began = clock.instant()
        switch try? route.answer(request) {
        case .answer(let answer): return .answer(finished(answer, at: route, since: began))
        case .wait(let wait): return .wait(wait)
        case nil: return nil
        }
    }

    /// The answer as it goes out, and counted.
    func finished(
        _ answer: FastPathAnswer,
        at route: Route,
        since began: ContinuousClock.Instant,
        isHeld: Bool = false
    ) -> FastPathAnswer {
        var answer = answer
        answer.head.headerFields.append(HTTPField(name: .date, value: today()))
        route.meter.begin()
        route.meter.end(answer.head.status, isHeld: isHeld, in: clock.instant() - began)
        return answer
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
