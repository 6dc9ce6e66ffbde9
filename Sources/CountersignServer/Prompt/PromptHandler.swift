internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Reads the requests of one connection, and answers at once those that can be; all others it passes on.
///
/// Answers come in the order of their requests: while one that was passed on has no answer yet, all that follow are
/// passed on as well.
final class PromptHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// A request that may be answered at once, as far as it was read.
    private struct Reading {
        let head: HTTPRequest
        let facts: PromptRequest.Head
        let route: PromptAnswers.Route
        var body = ByteBuffer()
    }

    private let answers: PromptAnswers
    private var reading: Reading?
    /// How many requests were passed on and have no answer yet.
    private var passedOn = 0
    private var mustFlush = false
    private var peer: String?

    init(_ answers: PromptAnswers) {
        self.answers = answers
    }

    func channelActive(context: ChannelHandlerContext) {
        peer = context.remoteAddress?.ipAddress
        context.fireChannelActive()
    }

    // MARK: What the client sends

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard passedOn == 0, context.channel.isWritable, let route = answers.route(of: head),
                let facts = PromptRequest.Head(of: head)
            else {
                passedOn += 1
                break
            }
            reading = Reading(head: head, facts: facts, route: route)
            return
        case .body(var bytes):
            guard reading != nil else { break }
            if reading?.body.readableBytes == 0 {
                reading?.body = bytes
            } else {
                reading?.body.writeBuffer(&bytes)
            }
            return
        case .end(let trailer):
            guard let whole = reading else { break }
            if trailer == nil, whole.body.readableBytes == whole.facts.length,
                let answer = answers.answer(
                    PromptRequest(head: whole.facts, body: whole.body, peer: peer),
                    at: whole.route
                )
            {
                reading = nil
                write(answer, to: context)
                return
            }
            passOnWhatWasRead(context)
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if mustFlush {
            mustFlush = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    // What interrupts a request belongs to those who would have read it.

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        passOnWhatWasRead(context)
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        passOnWhatWasRead(context)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        passOnWhatWasRead(context)
        context.fireChannelInactive()
    }

    private func passOnWhatWasRead(_ context: ChannelHandlerContext) {
        guard let partial = reading else { return }
        reading = nil
        passedOn += 1
        context.fireChannelRead(wrapInboundOut(.head(partial.head)))
        if partial.body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(partial.body))) }
    }

    // MARK: What it is answered

    private func write(_ answer: PromptAnswer, to context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        mustFlush = true
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), passedOn > 0 { passedOn -= 1 }
        context.write(data, promise: promise)
    }
}
