import Countersign
import CountersignHTTP
import CountersignTesting
import CountersignTransport
import Foundation
import HTTPTypes
import Logging
import ServiceLifecycle
import Testing
import Tracing

@testable import CountersignServer

/// Standard: OTLP 1.9, "OTLP/HTTP".
@Suite("The exporter of spans")
struct TraceExportTests {
    private static let path = "/otlp/v1/traces"
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    private let clock = ManualClock()
    private let metrics = PrometheusMetrics()
    private let log = RecordedLog()
    private let network = ScriptedTransport()
    private let queue: SpanQueue
    private let tracing: ServerTracing

    init() throws {
        queue = SpanQueue(TraceMetrics(metrics))
        let sampler = try #require(TraceSampler(ratio: 1))
        let tracer = RecordingTracer(into: queue, sampling: sampler, drawingFrom: SeededRandom(seed: 1).source)
        tracing = ServerTracing(tracer, by: clock.source)
    }

    private func add(_ count: Int) {
        for number in 0..<count { tracing.work("span \(number)", [:]).end() }
    }

    /// Exports for the length of `test`, and then stops as a server does.
    private func exporting(_ test: () async throws -> Void) async throws {
        let export = TraceExport(
            of: queue,
            to: try TraceCollector(at: "https://collector.example/otlp/", headers: [.authorization: "Basic abc"]),
            over: network,
            metrics: TraceMetrics(metrics),
            logger: log.logger,
            // No chance: each pause is whole.
            by: TraceExport.Sources(clock: clock.source, random: RandomSource { Array(repeating: 0, count: $0) })
        )
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: export)], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await test()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// The numbers of spans in the requests so far.
    private func sizes() -> [Int] {
        network.sent(to: Self.path).map { sent in
            let text = String(decoding: sent.body, as: UTF8.self)
            return text.components(separatedBy: "\"spanId\"").count - 1
        }
    }

    private func counted(_ outcome: String) -> String? {
        let name = "countersign_trace_spans_total{outcome=\"\(outcome)\"} "
        let line = metrics.text().split(separator: "\n").first { $0.hasPrefix(name) }
        return line.map { String($0.dropFirst(name.count)) }
    }

    @Test func `writes spans as the standard has it`() throws {
        let context = TraceContext(traceID: Self.trace, spanID: "00f067aa0ba902b7", isSampled: true, state: "a=b")
        var span = FinishedSpan(
            "POST /token", kind: .server, context: context, parent: "53995c3f42cd8ad8",
            from: 1_800_000_000_000_000_000, to: 1_800_000_000_025_000_000)
        span.attributes = ["http.route": "/token", "http.response.status_code": 503, "countersign.held": false]
        span.hasFailed = true
        let root = FinishedSpan(
            "deliver mail", kind: .internal,
            context: TraceContext(traceID: Self.trace, spanID: "53995c3f42cd8ad8", isSampled: true), from: 1, to: 2)
        let bytes = try JSONEncoder.wire.encode(OTLPTraces([span, root], of: "a1"))
        let expected = """
            {"resourceSpans":[{"resource":{"attributes":[\
            {"key":"service.instance.id","value":{"stringValue":"a1"}},\
            {"key":"service.name","value":{"stringValue":"countersign"}}]},\
            "scopeSpans":[{"scope":{"name":"countersign"},"spans":[\
            {"attributes":[{"key":"countersign.held","value":{"boolValue":false}},\
            {"key":"http.response.status_code","value":{"intValue":"503"}},\
            {"key":"http.route","value":{"stringValue":"/token"}}],\
            "endTimeUnixNano":"1800000000025000000","kind":2,"name":"POST /token",\
            "parentSpanId":"53995c3f42cd8ad8","spanId":"00f067aa0ba902b7","startTimeUnixNano":"1800000000000000000",\
            "status":{"code":2},"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","traceState":"a=b"},\
            {"attributes":[],"endTimeUnixNano":"2","kind":1,"name":"deliver mail",\
            "spanId":"53995c3f42cd8ad8","startTimeUnixNano":"1","traceId":"4bf92f3577b34da6a3ce929d0e0e4736"}]}]}]}
            """
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func `sends what was recorded in batches, each second`() async throws {
        network.reply(at: Self.path, with: .json([String: String]()))
        add(TraceExport.batch + 3)
        try await exporting {
            await clock.sleeps(1)
            clock.advance(by: TraceExport.interval)
            await clock.sleeps(2)
            #expect(sizes() == [TraceExport.batch, 3])
        }
        #expect(counted("exported") == "\(TraceExport.batch + 3)" && counted("failed") == "0")
        let sent = try #require(network.sent(to: Self.path).first { !$0.body.isEmpty })
        #expect(sent.request.method == .post && sent.request.authority == "collector.example")
        #expect(sent.request.headerFields[.contentType] == "application/json")
        #expect(sent.request.headerFields[.authorization] == "Basic abc")
        #expect(sent.request.headerFields[HTTPField.Name("traceparent")!] == nil)
    }

    @Test(arguments: [
        ScriptedTransport.Reply.status(.tooManyRequests), .status(.badGateway), .status(.serviceUnavailable),
        .status(.gatewayTimeout), .failure(TransportError(.notReached, because: "no network")),
    ])
    func `tries again what may succeed later, after growing pauses`(failure: ScriptedTransport.Reply) async throws {
        network.reply(at: Self.path, with: failure, failure, failure, .status(.ok))
        add(2)
        try await exporting {
            for (sleeps, pause) in [TraceExport.interval, .seconds(1), .seconds(2), .seconds(4)].enumerated() {
                await clock.sleeps(sleeps + 1)
                #expect(sizes().count == sleeps)
                clock.advance(by: pause - .milliseconds(1))
                #expect(clock.sleeping == 1)
                clock.advance(by: .milliseconds(1))
            }
            await clock.sleeps(5)
            #expect(sizes() == [2, 2, 2, 2])
        }
        #expect(counted("exported") == "2" && counted("failed") == "0")
    }

    @Test func `waits as long as the collector asks`() async throws {
        network.reply(
            at: Self.path, with: .status(.serviceUnavailable, fields: [.retryAfter: "30"]), .status(.ok))
        add(1)
        try await exporting {
            await clock.sleeps(1)
            clock.advance(by: TraceExport.interval)
            await clock.sleeps(2)
            clock.advance(by: .seconds(29))
            #expect(clock.sleeping == 1)
            clock.advance(by: .seconds(1))
            await clock.sleeps(3)
            #expect(sizes() == [1, 1])
        }
        #expect(counted("exported") == "1")
    }

    @Test(arguments: [
        ScriptedTransport.Reply.status(.badRequest), .status(.unauthorized), .status(.internalServerError),
        .status(.found), .failure(TransportError(.notTrusted, because: "another certificate")),
    ])
    func `drops what is refused for good`(failure: ScriptedTransport.Reply) async throws {
        network.reply(at: Self.path, with: failure, .status(.ok))
        add(3)
        try await exporting {
            await clock.sleeps(1)
            clock.advance(by: TraceExport.interval)
            await clock.sleeps(2)
            #expect(sizes() == [3])
            add(1)
            clock.advance(by: TraceExport.interval)
            await clock.sleeps(3)
        }
        #expect(sizes() == [3, 1])
        #expect(counted("failed") == "3" && counted("exported") == "1")
    }

    @Test func `logs the first failure of several at once, and the success after them`() async throws {
        network.reply(at: Self.path, with: .status(.badGateway), .status(.badGateway), .status(.ok))
        add(1)
        try await exporting {
            for (sleeps, messages) in [(1, 0), (2, 1), (3, 1), (4, 2)] {
                await clock.sleeps(sleeps)
                #expect(log.lines.count == messages)
                if sleeps < 4 { clock.advance(by: .seconds(2)) }
            }
        }
        #expect(log.lines.map(\.message) == ["spans cannot be exported", "spans are exported again"])
    }

    @Test func `drops what failed too often`() async throws {
        network.reply(at: Self.path, with: .status(.badGateway))
        add(1)
        try await exporting {
            for sleeps in 1...TraceExport.attempts {
                await clock.sleeps(sleeps)
                clock.advance(by: .seconds(8))
            }
            await clock.sleeps(TraceExport.attempts + 1)
        }
        #expect(sizes().count == TraceExport.attempts)
        #expect(counted("failed") == "1")
    }

    @Test(arguments: [
        ("\"2\"", "1", "2"), ("\"99\"", "0", "3"), ("\"-1\"", "3", "0"), ("1", "2", "1"), ("{}", "3", "0"),
    ])
    func `counts what the collector took only in part`(rejected: String, exported: String, failed: String) async throws
    {
        let text = #"{"partialSuccess":{"rejectedSpans":\#(rejected),"errorMessage":"too old"}}"#
        network.reply(at: Self.path, with: .text(text, type: "application/json"))
        add(3)
        try await exporting {
            await clock.sleeps(1)
            clock.advance(by: TraceExport.interval)
            await clock.sleeps(2)
        }
        #expect(counted("exported") == exported && counted("failed") == failed)
        #expect(sizes() == [3])
    }

    @Test func `sends the rest when the server stops`() async throws {
        network.reply(at: Self.path, with: .status(.ok))
        try await exporting {
            await clock.sleeps(1)
            add(TraceExport.batch + 1)
        }
        #expect(sizes() == [TraceExport.batch, 1])
        #expect(counted("exported") == "\(TraceExport.batch + 1)")
        #expect(network.sent(to: Self.path).allSatisfy { $0.limit <= TraceExport.flushLimit })
    }

    @Test func `gives up the rest when the server stops and the collector is away`() async throws {
        network.reply(at: Self.path, with: .failure(TransportError(.notReached, because: "no network")))
        try await exporting {
            await clock.sleeps(1)
            add(TraceExport.batch + 1)
        }
        #expect(sizes() == [TraceExport.batch])
        #expect(counted("failed") == "\(TraceExport.batch + 1)")
    }

    @Test func `ends a pause between two attempts when the server stops`() async throws {
        network.reply(at: Self.path, with: .status(.serviceUnavailable, fields: [.retryAfter: "600"]))
        add(1)
        try await exporting {
            await clock.sleeps(1)
            clock.advance(by: TraceExport.interval)
            await clock.sleeps(2)
        }
        #expect(counted("failed") == "1")
    }

    @Test func `does not wait for a silent collector when the server stops, and sends that batch again`() async throws {
        network.reply(at: Self.path, with: .silence, .status(.ok))
        add(TraceExport.batch + 1)
        try await exporting {
            await clock.sleeps(1)
            clock.advance(by: TraceExport.interval)
            await network.requests(to: Self.path)
        }
        #expect(sizes() == [TraceExport.batch, TraceExport.batch, 1])
        #expect(counted("exported") == "\(TraceExport.batch + 1)" && counted("failed") == "0")
    }

    @Test func `takes the header fields that an operator writes`() throws {
        #expect(
            TraceCollector.headers(parsing: "Authorization=Basic%20YTpi==, X-Scope-OrgID = 1\n")
                == [.authorization: "Basic YTpi==", HTTPField.Name("X-Scope-OrgID")!: "1"])
        #expect(TraceCollector.headers(parsing: "") == [:])
        for text in ["a", "a=%zz", "=b", "a b=c", "a=%0Ab", "a=b,c"] {
            #expect(TraceCollector.headers(parsing: text) == nil, "\(text)")
        }
        #expect(throws: TraceCollector.AddressError.insecure) {
            try TraceCollector(at: "http://collector.example:4318", headers: [.authorization: "a"])
        }
        #expect(throws: TraceCollector.AddressError.malformed) { try TraceCollector(at: "collector:4318") }
        #expect(throws: TraceCollector.AddressError.malformed) { try TraceCollector(at: "https://a.example/?b") }
        let local = try TraceCollector(at: "http://collector.internal:4318")
        #expect(local.request.path == "/v1/traces" && local.request.scheme == "http")
        let hosted = try TraceCollector(at: "https://a.example", headers: [.authorization: "secret"])
        #expect(!"\(hosted)".contains("secret"))
    }
}
