internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Adds support for HTTP/1.0 to the connections of `base`.
struct HTTP10Channel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    /// The host of a request that names none.
    let authority: String

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { [authority] value in
            let pipeline = channel.pipeline.syncOperations
            // The codec above drops the version of a request.
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(HTTP10Handler(authority: authority), position: .after(decoder))
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

/// Turns a request by HTTP/1.0 into its equivalent by HTTP/1.1, so that no handler above needs the version.
///
/// - Without `Connection: keep-alive` it is the last one on its connection, so `Connection: close` is added.
/// - With it, the answer says `Connection: keep-alive`, unless the server closes the connection.
/// - If it has no `Host`, the server's own is added.
/// - `Expect` is removed.
///
/// Standard: RFC 9112 §3.2, §9.3; RFC 9110 §10.1.1.
final class HTTP10Handler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let authority: String
    private var requests = 0
    private var answers = 0
    /// The numbers of the requests whose answers say that the connection stays open.
    private var keptAlive = CircularBuffer<Int>()

    init(authority: String) {
        self.authority = authority
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        requests += 1
        guard head.version == .http1_0 else { return context.fireChannelRead(data) }
        if head.isKeepAlive {
            keptAlive.append(requests)
        } else {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: authority) }
        head.headers.remove(name: "Expect")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), head.status.code >= 200 else {
            return context.write(data, promise: promise)
        }
        answers += 1
        guard keptAlive.first == answers else { return context.write(data, promise: promise) }
        keptAlive.removeFirst()
        if !head.headers.contains(name: "Connection") { head.headers.add(name: "Connection", value: "keep-alive") }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
