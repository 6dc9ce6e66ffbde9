internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Reads the requests of one connection, and answers or holds at once those that can be; all others it passes on.
///
/// Answers come in the order of their requests: while one that was passed on has no answer yet, all that follow are
/// passed on as well.
final class FastPathHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// A request that may be answered at once, as far as it was read.
    private struct Reading {
        let head: HTTPRequest
        let facts: FastPathRequest.Head
        let route: FastPath.Route
        var body = ByteBuffer()
    }

    /// A request that is held open.
    private struct Held {
        let request: Reading
        let wait: FastPathWait
        let waiting: Waiting
        /// When that began.
        let since: ContinuousClock.Instant
    }

    private let answers: FastPath
    private var reading: Reading?
    private var held: Held?
    /// How many requests were passed on and have no answer yet.
    private var passedOn = 0
    private var mustFlush = false
    private var peer: String?

    init(_ answers: FastPath) {
        self.answers = answers
    }

    func channelActive(context: ChannelHandlerContext) {
        peer = context.remoteAddress?.ipAddress
        context.fireChannelActive()
    }

    // MARK: What the client sends

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Whoever says more does not wait for an answer alone, and answers come in order.
        passOnWhatIsHeld(context)
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard passedOn == 0, context.channel.isWritable, let route = answers.route(of: head),
                let facts = FastPathRequest.Head(of: head)
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
            if trailer == nil, whole.body.readableBytes == whole.facts.length, isDone(with: whole, context) {
                reading = nil
                return
            }
            passOnWhatWasRead(context)
        }
        context.fireChannelRead(data)
    }

    private func isDone(with whole: Reading, _ context: ChannelHandlerContext) -> Bool {
        let request = FastPathRequest(head: whole.facts, body: whole.body, peer: peer)
        switch answers.outcome(of: request, at: whole.route) {
        case .answer(let answer):
            write(answer, to: context)
            mustFlush = true
            return true
        case .wait(let wait):
            return hold(whole, for: wait, context)
        case nil:
            return false
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if mustFlush {
            mustFlush = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    // MARK: Holding

    private func hold(_ whole: Reading, for wait: FastPathWait, _ context: ChannelHandlerContext) -> Bool {
        guard let waiting = wait.begin() else { return false }
        var request = whole
        // What was read is part of a large buffer, which would be held as well.
        request.body = ByteBuffer(bytes: whole.body.readableBytesView)
        held = Held(request: request, wait: wait, waiting: waiting, since: answers.clock.instant())
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        waiting.end(within: wait.span, by: answers.clock) { [loop = context.eventLoop] end in
            loop.execute {
                let (handler, context) = bound.value
                handler.finishHolding(waiting, end, context)
            }
        }
        return true
    }

    private func finishHolding(_ waiting: Waiting, _ end: Waiting.End, _ context: ChannelHandlerContext) {
        guard held?.waiting === waiting else { return }
        switch end {
        case .changed:
            passOnWhatIsHeld(context)
            context.fireChannelReadComplete()
        case .timeOver: answerWhatIsHeld(context, isWhole: true)
        case .superseded, .left: answerWhatIsHeld(context, isWhole: false)
        }
    }

    /// Ends the hold without waiting for more.
    private func answerWhatIsHeld(_ context: ChannelHandlerContext, isWhole: Bool) {
        guard let held = letGo() else { return }
        guard let answer = held.wait.answer(isWhole) else {
            passOn(held.request, context)
            context.fireChannelReadComplete()
            return
        }
        write(answers.finished(answer, at: held.request.route, since: held.since, isHeld: true), to: context)
        context.flush()
    }

    /// Lets others go on with the request, for as long as it wanted to wait.
    private func passOnWhatIsHeld(_ context: ChannelHandlerContext) {
        guard let held = letGo() else { return }
        let rest = held.wait.span - (answers.clock.instant() - held.since)
        let seconds = Int((rest / .seconds(1)).rounded(.up))
        passOn(held.request, waiting: WaitPreference(seconds: seconds), context)
    }

    private func letGo() -> Held? {
        guard let held else { return nil }
        self.held = nil
        held.wait.end(held.waiting)
        held.waiting.finish(.superseded)
        return held
    }

    private func passOn(_ request: Reading, waiting wait: WaitPreference? = nil, _ context: ChannelHandlerContext) {
        var head = request.head
        head.headerFields[.prefer] = wait?.headerValue
        begin(head, request.body, context)
        context.fireChannelRead(wrapInboundOut(.end(nil)))
    }

    // What interrupts a request belongs to those who would have read it.

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: answerWhatIsHeld(context, isWhole: true)
        case let event as ChannelEvent where event == .inputClosed: answerWhatIsHeld(context, isWhole: false)
        default: break
        }
        passOnWhatWasRead(context)
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        passOnWhatWasRead(context)
        context.fireErrorCaught(error)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        _ = letGo()
    }

    func channelInactive(context: ChannelHandlerContext) {
        _ = letGo()
        passOnWhatWasRead(context)
        context.fireChannelInactive()
    }

    private func passOnWhatWasRead(_ context: ChannelHandlerContext) {
        guard let partial = reading else { return }
        reading = nil
        begin(partial.head, partial.body, context)
    }

    private func begin(_ head: HTTPRequest, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        passedOn += 1
        context.fireChannelRead(wrapInboundOut(.head(head)))
        if body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(body))) }
    }

    // MARK: What it is answered

    private func write(_ answer: FastPathAnswer, to context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), passedOn > 0 { passedOn -= 1 }
        context.write(data, promise: promise)
    }
}
