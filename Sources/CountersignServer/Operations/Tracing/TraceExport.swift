internal import CoreMetrics
package import Countersign
package import CountersignHTTP
package import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
package import Logging
internal import ServiceLifecycle

/// Sends finished spans to a collector while the server runs, and those that are left when it stops.
///
/// Standard: OTLP 1.9, "OTLP/HTTP": the statuses 429, 502, 503 and 504, and failures of the network, are tried again
/// with growing pauses, and after the pause of `Retry-After`; any other failure drops its spans.
package struct TraceExport: NamedService {
    private let queue: SpanQueue
    private let collector: TraceCollector
    private let transport: any HTTPTransport
    private let metrics: TraceMetrics
    private let logger: Logger
    private let sources: Sources

    /// The sources of time and randomness.
    package struct Sources: Sendable {
        let clock: TimeSource
        let random: RandomSource

        package init(clock: TimeSource, random: RandomSource) {
            self.clock = clock
            self.random = random
        }
    }

    /// The largest number of spans in one request.
    static let batch = 512
    /// The pause between two looks at the queue.
    static let interval: Duration = .seconds(1)
    /// The number of attempts for each request.
    static let attempts = 5
    /// The longest pause that a collector may ask for, in seconds.
    private static let longestRetryAfter = 600
    /// The maximum duration of one request.
    private static let limit: Duration = .seconds(10)
    /// The maximum duration of all requests after the server was stopped.
    static let flushLimit: Duration = .seconds(3)

    /// Creates an exporter.
    ///
    /// - Parameters:
    ///   - queue: The queue into which the tracer puts its spans.
    ///   - collector: The receiver.
    ///   - transport: The network; it makes no spans itself.
    ///   - metrics: The counters.
    ///   - logger: The log for the first failure of several, and for the success after it.
    ///   - sources: Time and randomness.
    package init(
        of queue: SpanQueue,
        to collector: TraceCollector,
        over transport: any HTTPTransport,
        metrics: TraceMetrics,
        logger: Logger,
        by sources: Sources
    ) {
        self.queue = queue
        self.collector = collector
        self.transport = transport
        self.metrics = metrics
        self.logger = logger
        self.sources = sources
    }

    package func run() async {
        let instance = HexadecimalText.encode(sources.random.bytes(8))
        var isFailing = false
        var rest: [FinishedSpan] = []
        while rest.isEmpty, await pause(Self.interval) {
            while rest.isEmpty, let batch = next() { rest = await send(batch, of: instance, &isFailing) }
        }
        // The tasks of the server may be cancelled by now, and this one must not be.
        await Task { [self, rest] in await flush(rest, as: instance) }.value
    }

    /// Waits; returns whether the server goes on.
    private func pause(_ span: Duration) async -> Bool {
        do {
            try await cancelWhenGracefulShutdown { try await sources.clock.sleep(for: span) }
            return !isStopping
        } catch {
            return false
        }
    }

    private var isStopping: Bool { Task.isShuttingDownGracefully || Task.isCancelled }

    private func next() -> [FinishedSpan]? {
        let batch = queue.take(Self.batch)
        return batch.isEmpty ? nil : batch
    }

    /// Sends a batch, as often as it takes and is allowed.
    ///
    /// - Returns: The batch if the server stopped before its end was known, otherwise nothing.
    private func send(
        _ batch: [FinishedSpan], of instance: String, _ isFailing: inout Bool
    ) async -> [FinishedSpan] {
        for made in 1...Self.attempts {
            // A collector that does not answer must not delay the end of the server.
            let outcome = await cancelWhenGracefulShutdown { await attempt(batch, of: instance, within: Self.limit) }
            switch outcome {
            case .taken(let refused, let reason):
                count(batch.count, refused: refused)
                if refused > 0 {
                    logger.warning(
                        "spans were not exported", metadata: ["count": "\(refused)", "reason": "\(reason)"])
                }
                if isFailing { logger.notice("spans are exported again") }
                isFailing = false
                return []
            case .refused where isStopping, .later where isStopping:
                return batch
            case .later(let reason, let seconds) where made < Self.attempts:
                note(reason, &isFailing)
                guard await pause(Self.delay(after: made, seconds, sources.random)) else { return batch }
            case .refused(let reason), .later(let reason, _):
                note(reason, &isFailing)
                count(batch.count, refused: batch.count)
                return []
            }
        }
        return []
    }

    /// The pause before the next attempt: a second, doubled each time, of which up to a half is left to chance; longer
    /// if the collector asks for it.
    private static func delay(after made: Int, _ asked: Int?, _ random: RandomSource) -> Duration {
        let chance = 1 - Double(random.uniform(below: 256)) / 512
        return max(
            .seconds(Double(1 << (made - 1)) * chance), .seconds(min(asked ?? 0, longestRetryAfter)))
    }

    /// Sends what is left, each batch once, until the time is over or an attempt fails.
    private func flush(_ rest: [FinishedSpan], as instance: String) async {
        let end = sources.clock.instant() + Self.flushLimit
        var isOver = false
        var waiting = rest.isEmpty ? next() : rest
        while let batch = waiting {
            waiting = next()
            let left = end - sources.clock.instant()
            if !isOver, left > .zero,
                case .taken(let refused, _) = await attempt(batch, of: instance, within: left)
            {
                count(batch.count, refused: refused)
            } else {
                isOver = true
                count(batch.count, refused: batch.count)
            }
        }
    }

    private func count(_ sent: Int, refused: Int) {
        metrics.exported.increment(by: sent - refused)
        metrics.failed.increment(by: refused)
    }

    /// Logs the first failure of several.
    private func note(_ reason: String, _ isFailing: inout Bool) {
        if !isFailing { logger.warning("spans cannot be exported", metadata: ["reason": "\(reason)"]) }
        isFailing = true
    }

    /// The outcome of one request.
    private enum Outcome {
        /// The collector took the spans, but for so many.
        case taken(refused: Int, String)
        case refused(String)
        /// Another attempt may succeed, after so many seconds if the collector named a time.
        case later(String, after: Int?)
    }

    private func attempt(_ batch: [FinishedSpan], of instance: String, within limit: Duration) async -> Outcome {
        do throws(TransportError) {
            guard let body = try? JSONEncoder.wire.encode(OTLPTraces(batch, of: instance)) else {
                return .refused("spans that cannot be written")
            }
            let answer = try await transport.send(collector.request, body: Array(body), within: limit)
            let status = answer.response.status
            switch status.code {
            case 200..<300:
                let partial = (try? answer.decoded(OTLPTracesResponse.self))?.partialSuccess
                let refused = min(max(partial?.rejectedSpans ?? 0, 0), batch.count)
                return .taken(refused: refused, partial?.errorMessage ?? "refused by the collector")
            case 429, 502, 503, 504:
                return .later("status \(status.code)", after: answer.secondsToWait)
            default:
                return .refused("status \(status.code)")
            }
        } catch {
            return error.isTransient ? .later(error.code.rawValue, after: nil) : .refused(error.code.rawValue)
        }
    }
}
