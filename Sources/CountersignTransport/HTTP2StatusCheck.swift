#if os(Linux) && AsyncHTTPClient
internal import NIOCore
internal import NIOHPACK
internal import NIOHTTP2

/// Ends a stream of HTTP/2 whose answer has a status that is none, or no final head, before it reaches the handlers
/// that turn it into one of HTTP/1: those trap at a negative number, at an empty text, and at an end without a final
/// head.
///
/// Standard: RFC 9113 §8.1, §8.3.2 (`:status`), §8.6 (no 101); RFC 9110 §15.
final class HTTP2StatusCheck: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    private var hasFinalHead = false
    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard isAcceptable(unwrapInboundIn(data)) else {
            isRefused = true
            context.fireErrorCaught(TransportError.noStatus)
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(data)
    }

    /// Whether a frame may follow those before it: interim heads, one final head, then data and trailers.
    private func isAcceptable(_ frame: HTTP2Frame.FramePayload) -> Bool {
        switch frame {
        case .headers(let content):
            let statuses = content.headers[":status"]
            guard !hasFinalHead else { return statuses.isEmpty }
            guard statuses.count == 1, let text = statuses.first, text.utf8.count == 3, let status = UInt16(text)
            else { return false }
            hasFinalHead = (200...599).contains(status)
            return hasFinalHead || ((100...199).contains(status) && status != 101 && !content.endStream)
        case .data: return hasFinalHead
        default: return true
        }
    }
}
#endif
