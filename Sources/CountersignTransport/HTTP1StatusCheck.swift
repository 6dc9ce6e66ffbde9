#if os(Linux) && AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// Ends a connection of HTTP/1.1 whose answer has a status below 100, before the head reaches the client: it passes
/// over such a head as over an interim one, and traps at the end of the message.
///
/// Standard: RFC 9110 §15.
final class HTTP1StatusCheck: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    /// Adds the check behind the decoder of a connection.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(HTTP1StatusCheck(), position: .after(decoder))
        }
    }

    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            isRefused = true
            context.fireErrorCaught(TransportError.noStatus)
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(data)
    }
}
#endif
