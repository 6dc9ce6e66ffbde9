internal import HTTPTypes
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A port of this machine for the HTTP/1.1 answers of a fake provider.
package final class LoopbackListener: Sendable {
    /// The outcome of a request.
    package enum Outcome: Sendable {
        /// This answer is sent.
        case reply(ProviderReply)
        /// This answer is sent up to its middle, and the connection ends.
        case cut(ProviderReply)
        /// The connection is reset.
        case reset
        /// Nothing is sent.
        case silence
    }

    private let channel: any Channel
    private let connections: NIOLockedValueBox<[ObjectIdentifier: any Channel]>

    /// The address that it listens at, such as `http://127.0.0.1:40123`.
    package var base: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    private init(channel: any Channel, connections: NIOLockedValueBox<[ObjectIdentifier: any Channel]>) {
        self.channel = channel
        self.connections = connections
    }

    /// Starts to listen on a free port.
    package static func start(_ answer: @escaping @Sendable (ProviderRequest) -> Outcome) async throws
        -> LoopbackListener
    {
        let connections = NIOLockedValueBox<[ObjectIdentifier: any Channel]>([:])
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                let id = ObjectIdentifier(channel)
                connections.withLockedValue { $0[id] = channel }
                channel.closeFuture.whenComplete { _ in connections.withLockedValue { $0[id] = nil } }
                return channel.pipeline.configureHTTPServerPipeline().flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(LoopbackHandler(answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return LoopbackListener(channel: channel, connections: connections)
    }

    deinit {
        channel.close(promise: nil)
        for connection in connections.withLockedValue({ Array($0.values) }) { connection.close(promise: nil) }
    }

    /// Ends all connections, and stops to listen, as its end does.
    package func stop() async {
        try? await channel.close()
        for connection in connections.withLockedValue({ Array($0.values) }) { try? await connection.close() }
    }
}

private final class LoopbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let answer: @Sendable (ProviderRequest) -> LoopbackListener.Outcome
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(answer: @escaping @Sendable (ProviderRequest) -> LoopbackListener.Outcome) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let part): body += part.readableBytesView
        case .end:
            guard let head, let method = HTTPRequest.Method(head.method.rawValue) else {
                return context.close(promise: nil)
            }
            var fields = HTTPFields()
            for (name, value) in head.headers {
                if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
            }
            let request = ProviderRequest(method: method, target: head.uri, fields: fields, body: body)
            switch answer(request) {
            case .reply(let reply): send(reply, upTo: reply.body.count, context)
            case .cut(let reply): send(reply, upTo: reply.body.count / 2, context)
            case .reset:
                // With nothing to linger for, closing resets.
                if let socket = context.channel as? any SocketOptionProvider {
                    _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                }
                context.close(promise: nil)
            case .silence: return
            }
        }
    }

    private func send(_ reply: ProviderReply, upTo end: Int, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders(reply.fields)
        headers.replaceOrAdd(name: "Content-Length", value: String(reply.body.count))
        let status = HTTPResponseStatus(statusCode: reply.status)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: reply.body[..<end])))), promise: nil)
        guard end < reply.body.count else { return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil) }
        let channel = context.channel
        context.flush()
        channel.close(promise: nil)
    }
}
