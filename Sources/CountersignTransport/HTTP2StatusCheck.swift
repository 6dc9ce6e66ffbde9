#if os(Linux)
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// Ends a stream of HTTP/2 whose answer has a status that is none, before the head reaches the handlers that turn it
/// into one of HTTP/1: those trap at a negative number and at an empty text.
///
/// Standard: RFC 9113 §8.3.2 (`:status`); RFC 9110 §15.
final class HTTP2StatusCheck: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .headers(let content) = unwrapInboundIn(data), !Self.isAcceptable(content.headers[":status"]) else {
            return context.fireChannelRead(data)
        }
        context.fireErrorCaught(TransportError(.interrupted, because: "an answer whose status is no status of HTTP"))
        context.close(promise: nil)
    }

    /// Whether a block of fields has one status of three digits, or none, as trailers have.
    private static func isAcceptable(_ statuses: [String]) -> Bool {
        guard statuses.count <= 1 else { return false }
        guard let digits = statuses.first?.utf8 else { return true }
        return digits.count == 3 && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}
#endif
