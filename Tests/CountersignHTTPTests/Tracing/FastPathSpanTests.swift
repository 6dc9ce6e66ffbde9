import CountersignTesting
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing
import Tracing

@testable import CountersignHTTP

@Suite("The span of a request that is answered at its connection")
struct FastPathSpanTests {
    private let queue = SpanQueue(TraceMetrics(PrometheusMetrics()))
    private let channel: NIOAsyncTestingChannel

    init() async throws {
        let clock = ManualClock()
        let sampler = try #require(TraceSampler(ratio: 1))
        let tracer = RecordingTracer(into: queue, sampling: sampler, drawingFrom: SeededRandom(seed: 1).source)
        let tracing = ServerTracing(tracer, by: clock.source)
        var path = FastPath(
            clock: clock.source,
            metrics: ServerMetrics(PrometheusMetrics(), tracing: tracing),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        path.add(.post, "/a/now", as: "/now") { _ in .answer(JSONResponse([])) }
        path.add(.post, "/a/later", as: "/later") { _ in
            .later { _ in
                tracing.call("store change", [:])?.end()
                return JSONResponse([], status: .serviceUnavailable)
            }
        }
        let whole = path
        channel = try await NIOAsyncTestingChannel { try $0.pipeline.syncOperations.addHandler(FastPathHandler(whole)) }
        try await channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1))
    }

    /// Sends a form, and waits for the head of its answer.
    private func send(_ path: String) async throws {
        let head = HTTPRequest(
            method: .post, scheme: "http", authority: "localhost", path: path,
            headerFields: [
                .contentType: "application/x-www-form-urlencoded", .contentLength: "1",
                HTTPField.Name("traceparent")!: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            ])
        try await channel.testingEventLoop.executeInContext { [pipeline = channel.pipeline] in
            for part: HTTPRequestPart in [.head(head), .body(ByteBuffer(string: "a")), .end(nil)] {
                pipeline.fireChannelRead(part)
            }
            pipeline.fireChannelReadComplete()
        }
        _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
    }

    @Test func `is one, below its caller`() async throws {
        try await send("/a/now")
        let spans = queue.take(8)
        #expect(spans.map(\.name) == ["POST /now"] && spans.map(\.parent) == ["00f067aa0ba902b7"])
        #expect(
            spans.map(\.attributes) == [
                [
                    "http.request.method": "POST", "http.route": "/now", "http.response.status_code": 200,
                    "countersign.held": false,
                ]
            ])
    }

    @Test func `is above what its task does, and tells of a failure`() async throws {
        try await send("/a/later")
        let spans = queue.take(8)
        let request = try #require(spans.first { $0.name == "POST /later" })
        let change = try #require(spans.first { $0.name == "store change" })
        #expect(spans.count == 2 && change.parent == request.context.spanID)
        #expect(request.hasFailed && request.attributes.get("error.type") == "503")
    }
}
