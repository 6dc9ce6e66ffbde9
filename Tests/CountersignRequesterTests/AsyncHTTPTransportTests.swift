#if os(Linux)
import CountersignWire
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import CountersignRequester

@Suite("The network on Linux", .timeLimit(.minutes(10)))
struct AsyncHTTPTransportTests {
    /// A limit that no request here reaches, however busy the machine is.
    private static let unlimited = Duration.seconds(86_400)

    @Test func `carries a request there and its answer back`() async throws {
        try await withServer { place in
            var request = request(.post, "/echo?a=b", at: place)
            request.headerFields[.accept] = "text/plain"
            let answer = try await AsyncHTTPTransport().send(request, body: Array("hello".utf8), within: Self.unlimited)
            #expect(answer.response.status == .ok)
            #expect(answer.response.headerFields[.contentType] == "text/plain")
            #expect(String(decoding: answer.body, as: UTF8.self) == "POST /echo?a=b text/plain hello")
        }
    }

    @Test func `follows no redirect`() async throws {
        try await withServer { place in
            let answer = try await get("/moved", at: place)
            #expect(answer.response.status == .found)
        }
    }

    @Test func `takes in no endless answer`() async throws {
        try await withServer { place in
            await #expect(throws: TransportError(.tooLarge, because: "")) {
                _ = try await get("/endless", at: place)
            }
        }
    }

    @Test(arguments: ["/silent", "/stuck"])
    func `waits no longer than its limit for the whole answer`(path: String) async throws {
        try await withServer { place in
            var limit = Duration.milliseconds(50)
            var error = TransportError(.notReached, because: "")
            // On a busy machine the request itself may take longer to be sent.
            while error == TransportError(.notReached, because: "") {
                error = try #require(
                    await #expect(throws: TransportError.self) { _ = try await get(path, at: place, within: limit) })
                limit *= 2
            }
            #expect(error == TransportError(.timedOut, because: ""))
        }
    }

    @Test(arguments: ["/silent", "/stuck"])
    func `ends when its task is cancelled`(path: String) async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        try await withServer(telling: arrived) { place in
            let sending = Task {
                try await get(path, at: place, within: .seconds(600))
            }
            for await _ in arrivals { break }
            sending.cancel()
            await #expect(throws: TransportError(.cancelled, because: "")) { try await sending.value }
        }
    }

    @Test func `says when a connection breaks`() async throws {
        try await withServer { place in
            await #expect(throws: TransportError(.interrupted, because: "")) {
                _ = try await get("/broken", at: place)
            }
        }
    }

    @Test(arguments: ["127.0.0.1:65536", "127.0.0.1:99999", "[::1]:70000", "127.0.0.1:99999999999999999999"])
    func `reaches no port that there is not`(place: String) async {
        await #expect(throws: TransportError(.notReached, because: "")) { _ = try await get("/", at: place) }
    }

    /// As a proxy does while the server behind it starts.
    @Test func `takes a connection that ends during the TLS handshake for a server that is away`() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.close() }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        let request = HTTPRequest(method: .get, scheme: "https", authority: "127.0.0.1:\(port)", path: "/")
        await #expect(throws: TransportError(.notReached, because: "")) {
            _ = try await AsyncHTTPTransport().send(request, body: [], within: Self.unlimited)
        }
        try await channel.close()
    }

    private func get(
        _ path: String,
        at place: String,
        within limit: Duration = Self.unlimited
    ) async throws -> HTTPAnswer {
        try await AsyncHTTPTransport().send(request(.get, path, at: place), body: [], within: limit)
    }

    private func request(_ method: HTTPRequest.Method, _ path: String, at place: String) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: place, path: path)
    }

    /// Gives `body` the host and port of a tiny server, which is gone afterwards.
    private func withServer(
        telling arrived: AsyncStream<Void>.Continuation? = nil,
        _ body: @Sendable (String) async throws -> Void
    ) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(TinyServer(telling: arrived))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        do {
            try await body("127.0.0.1:\(port)")
            try await channel.close()
        } catch {
            try? await channel.close()
            throw error
        }
    }
}

/// Answers each path in its own way, some of them badly.
private final class TinyServer: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var head: HTTPRequestHead?
    private var body = ""
    private let arrived: AsyncStream<Void>.Continuation?

    /// Tells `arrived` of each request that is there whole.
    init(telling arrived: AsyncStream<Void>.Continuation?) {
        self.arrived = arrived
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let part): body += String(buffer: part)
        case .end:
            if let head { answer(head, context) }
            arrived?.yield()
        }
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        switch head.uri {
        case "/silent": break
        case "/broken": context.close(promise: nil)
        case "/stuck": write(.ok, ["content-length": "10"], "half", context, ending: false)
        case "/moved": write(.found, ["location": "/echo", "content-length": "0"], "", context)
        case "/endless": write(.ok, [:], String(repeating: "a", count: HTTPAnswer.longestBody + 1), context)
        default:
            let text = "\(head.method.rawValue) \(head.uri) \(head.headers["accept"].first ?? "") \(body)"
            write(.ok, ["content-type": "text/plain"], text, context)
        }
    }

    private func write(
        _ status: HTTPResponseStatus,
        _ fields: HTTPHeaders,
        _ text: String,
        _ context: ChannelHandlerContext,
        ending: Bool = true
    ) {
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        if ending { context.write(wrapOutboundOut(.end(nil)), promise: nil) }
        context.flush()
    }
}
#endif
