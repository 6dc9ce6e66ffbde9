import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import Logging
import Testing
import Tracing

@testable import CountersignHTTP

@Suite("The tracer of a server")
struct RecordingTracerTests {
    private let metrics = PrometheusMetrics()
    private let clock = ManualClock()
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-"

    private func queue(_ capacity: Int = 8) -> SpanQueue { SpanQueue(TraceMetrics(metrics), capacity: capacity) }

    private func tracing(_ queue: SpanQueue, ratio: Double = 1) throws -> ServerTracing {
        let sampler = try #require(TraceSampler(ratio: ratio))
        let tracer = RecordingTracer(into: queue, sampling: sampler, drawingFrom: SeededRandom(seed: 1).source)
        return ServerTracing(tracer, by: clock.source)
    }

    @Test func `records a request below its caller, and its calls below the request`() async throws {
        let queue = queue()
        let tracing = try tracing(queue)
        let fields: HTTPFields = [.traceParent: "\(Self.parent)01", .traceState: "rojo=1"]
        let request = tracing.request("GET /jwks", fields, from: nil, since: clock.instant)
        clock.advance(by: .milliseconds(20))
        var sent: HTTPFields = [:]
        await request.run {
            let call = tracing.call("POST", ["http.request.method": "POST"])
            if let call { tracing.pass(call, to: &sent) }
            clock.advance(by: .milliseconds(5))
            call?.end(failure: "timedOut")
        }
        request.end(["http.response.status_code": 200])

        let spans = queue.take(8)
        let call = try #require(spans.first { $0.name == "POST" })
        let root = try #require(spans.first { $0.name == "GET /jwks" })
        #expect(spans.count == 2)
        #expect(root.parent == "00f067aa0ba902b7" && root.kind == .server && !root.hasFailed)
        #expect(root.attributes == ["http.response.status_code": 200])
        #expect(root.start == 1_800_000_000_000_000_000 && root.end == root.start + 25_000_000)
        #expect(call.parent == root.context.spanID && call.kind == .client && call.hasFailed)
        #expect(call.attributes == ["http.request.method": "POST", "error.type": "timedOut"])
        #expect(call.start == root.start + 20_000_000 && call.end == root.end)
        #expect(Set(spans.map(\.context.traceID)) == ["4bf92f3577b34da6a3ce929d0e0e4736"])
        #expect(sent == [.traceParent: call.context.parent, .traceState: "rojo=1"])
    }

    @Test(arguments: [("01", 0.0, 1), ("00", 1.0, 0)])
    func `lets the decision of the caller stand`(flags: String, ratio: Double, count: Int) throws {
        let queue = queue()
        let tracing = try tracing(queue, ratio: ratio)
        let span = tracing.request("GET /", [.traceParent: Self.parent + flags], from: nil, since: clock.instant)
        var passed: HTTPFields = [:]
        tracing.pass(span, to: &passed)
        span.end()
        #expect(queue.take(8).count == count)
        #expect(passed[.traceParent]?.hasSuffix("-\(flags)") == true)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("::ffff:127.0.0.1", true), ("::1", true), ("203.0.113.9", false), ("10.0.0.1", false),
    ])
    func `lets no stranger decide, who keeps the identifier`(peer: String, decides: Bool) throws {
        let (all, none) = (queue(), queue())
        for (flags, ratio, queue) in [("00", 1.0, all), ("01", 0.0, none)] {
            let fields: HTTPFields = [.traceParent: Self.parent + flags]
            try tracing(queue, ratio: ratio).request("GET /", fields, from: peer, since: clock.instant).end()
        }
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        #expect(all.take(8).map(\.context.traceID) == (decides ? [] : [trace]))
        #expect(none.take(8).map(\.context.traceID) == (decides ? [trace] : []))
    }

    @Test func `decides by the identifier where nobody did`() throws {
        let half = try #require(TraceSampler(ratio: 0.5))
        let least: [UInt8] = Array(repeating: 0, count: 9)
        #expect(half.samples(least + [0x80, 0, 0, 0, 0, 0, 0]))
        #expect(!half.samples(least + [0x7F, 255, 255, 255, 255, 255, 255]))
        let all = try #require(TraceSampler(ratio: 1))
        #expect(all.samples(least + Array(repeating: 0, count: 7)))
        let none = try #require(TraceSampler(ratio: 0))
        #expect(!none.samples(Array(repeating: 255, count: 16)))
        for ratio in [-0.1, 1.1, .nan, .infinity] { #expect(TraceSampler(ratio: ratio) == nil) }
        let random = SeededRandom(seed: 7)
        let tenth = try #require(TraceSampler(ratio: 0.1))
        let sampled = (0..<10_000).count { _ in tenth.samples(random.bytes(16)) }
        #expect((800...1200).contains(sampled))
    }

    @Test func `drops what has no place, and counts it`() throws {
        let queue = queue(2)
        let tracing = try tracing(queue)
        for number in 1...5 { tracing.work("\(number)", [:]).end() }
        #expect(queue.take(8).map(\.name) == ["1", "2"])
        #expect(metrics.text().contains("countersign_trace_spans_total{outcome=\"dropped\"} 3\n"))
    }

    @Test func `ends a span once, and never before it began`() throws {
        let queue = queue()
        let span = try tracing(queue).work("deliver text", [:])
        clock.setDate(clock.date - 3600)
        span.end()
        span.end()
        let spans = queue.take(8)
        #expect(spans.map { $0.end - $0.start } == [0])
    }

    @Test func `makes no call a span of its own`() throws {
        #expect(try tracing(queue()).call("store read", [:]) == nil)
    }

    @Test func `names the request and its span to the log`() async throws {
        var logger = Logger(label: "test", factory: { _ in StreamLogHandler.standardError(label: "test") })
        logger[metadataKey: "hb.request.id"] = "1234"
        let span = try tracing(queue()).request(
            "GET /", [.traceParent: "\(Self.parent)01"], from: nil, since: clock.instant)
        let unrecorded = try tracing(queue()).request(
            "GET /", [.traceParent: "\(Self.parent)00"], from: nil, since: clock.instant)
        let provider = Logger.MetadataProvider.request
        await withLogger(logger) { _ in
            await span.run {
                let metadata = provider.get()
                #expect(metadata["hb.request.id"] == "1234")
                #expect(metadata["trace_id"] == "4bf92f3577b34da6a3ce929d0e0e4736")
                #expect(metadata["span_id"].map { "\($0)".count } == 16)
            }
            await unrecorded.run { #expect(provider.get() == ["hb.request.id": "1234"]) }
        }
        #expect(provider.get() == [:])
    }
}

extension HTTPField.Name {
    fileprivate static let traceParent = HTTPField.Name("traceparent")!
    fileprivate static let traceState = HTTPField.Name("tracestate")!
}
