internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Logging
internal import NIOCore
internal import NIOHTTPTypes

/// Answers or holds the requests of one connection that take the fast path, and passes all others to the router.
///
/// Answers are sent in the order of their requests. While the router works on a request, all later ones are passed on
/// as well. While a request is open here, later ones are buffered, and reading stops when the buffer is full.
final class FastPathHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// A request of the fast path that is being read.
    private struct Reading {
        let head: HTTPRequest
        let facts: FastPathRequest.Head
        let route: FastPath.Route
        var body = ByteBuffer()
    }

    let path: FastPath
    private var reading: Reading?
    /// The request that has no answer yet, if it is not the router's.
    var open: OpenRequest?
    /// The number of buffered parts of later requests that stops reading: the same number as for the router.
    private static let longestBacklog = 10

    /// Parts that arrived after the open request. The default capacity of sixteen would take five kilobytes for each
    /// screen that waits.
    private var backlog = CircularBuffer<HTTPRequestPart>(initialCapacity: 0)
    /// Events that arrived while a task worked; passed on at once, they would close the connection before the answer.
    private var deferredEvents: [Any] = []
    private var isActive = true
    private var mustRead = false
    /// The number of requests that were passed on and have no answer yet.
    private var passedOn = 0
    private var mustFlush = false
    private var peer: String?

    init(_ path: FastPath) {
        self.path = path
    }

    func channelActive(context: ChannelHandlerContext) {
        peer = context.remoteAddress?.ipAddress
        context.fireChannelActive()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard open == nil else {
            backlog.append(part)
            return
        }
        read(part, context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flushAnswers(context)
        context.fireChannelReadComplete()
    }

    /// Reads on only while the backlog is short.
    func read(context: ChannelHandlerContext) {
        guard backlog.count < Self.longestBacklog else {
            mustRead = true
            return
        }
        context.read()
    }

    private func read(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head):
            guard passedOn == 0, context.channel.isWritable, let route = path.route(of: head),
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
            reading = nil
            if trailer == nil, whole.body.readableBytes == whole.facts.length, isDone(with: whole, context) { return }
            passOn(whole, context)
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func isDone(with whole: Reading, _ context: ChannelHandlerContext) -> Bool {
        let began = path.clock.instant()
        var logger = path.logger()
        let request = FastPathRequest(head: whole.facts, body: whole.body, logger: logger, peer: peer)
        guard let outcome = path.outcome(of: request, at: whole.route) else { return false }
        let measured = whole.route.meter.begin(whole.head.headerFields, from: peer, since: began)
        measured.span?.note(in: &logger)
        switch outcome {
        case .answer(let answer):
            write(answer, to: measured, logger: logger, context)
        case .later(let answer):
            let open = OpenRequest(measured, logger: logger)
            self.open = open
            work(on: open, context) { await answer($0) }
        case .wait(let wait):
            let open = OpenRequest(measured, logger: logger, wait: wait)
            self.open = open
            hold(open, wait, context)
        }
        return true
    }

    // MARK: Events

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let open, let end = Self.end(of: event) {
            guard !open.isWorking else {
                open.end = open.end ?? end
                deferredEvents.append(event)
                return
            }
            settle(open, after: end, context)
        }
        passOnWhatWasRead(context)
        context.fireUserInboundEventTriggered(event)
    }

    /// The end of a wait that an event of the connection causes: the server stops, or the client disconnected.
    private static func end(of event: Any) -> ChangeWaiter.End? {
        if event is ChannelShouldQuiesceEvent { return .timeOver }
        return event as? ChannelEvent == .inputClosed ? .left : nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        passOnWhatWasRead(context)
        context.fireErrorCaught(error)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave(context)
        passOnWhatWasRead(context)
        context.fireChannelInactive()
    }

    /// Ends the wait of a client that disconnected; a request that a task works on ends with the task.
    private func leave(_ context: ChannelHandlerContext) {
        isActive = false
        backlog = []
        deferredEvents = []
        guard let open else { return }
        open.end = .left
        if !open.isWorking { settle(open, after: .left, context) }
    }

    /// Passes an incomplete request to the router, which handles the interruption.
    private func passOnWhatWasRead(_ context: ChannelHandlerContext) {
        guard let partial = reading else { return }
        reading = nil
        passOn(partial, context)
    }

    private func passOn(_ request: Reading, _ context: ChannelHandlerContext) {
        passedOn += 1
        context.fireChannelRead(wrapInboundOut(.head(request.head)))
        if request.body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(request.body))) }
    }

    // MARK: Answers

    /// Answers the open request, and continues with the backlog.
    func finish(_ open: OpenRequest, _ answer: JSONResponse, _ context: ChannelHandlerContext) {
        guard self.open === open else { return }
        self.open = nil
        if let waiting = open.waiting {
            open.wait?.end(waiting)
            waiting.finish(.superseded)
        }
        write(answer, to: open.measured, wasHeld: open.wasHeld, logger: open.logger, context)
        flushAnswers(context)
        resume(context)
    }

    private func write(
        _ answer: JSONResponse,
        to request: MeasuredRequest,
        wasHeld: Bool = false,
        logger: Logger,
        _ context: ChannelHandlerContext
    ) {
        request.end(answer.status, isHeld: wasHeld, at: path.clock.instant(), logger: logger)
        guard isActive else { return }
        context.write(wrapOutboundOut(.head(path.head(of: answer, logger: logger))), promise: nil)
        context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        mustFlush = true
    }

    /// Continues with the backlog after a request was answered.
    private func resume(_ context: ChannelHandlerContext) {
        let hasMore = !backlog.isEmpty
        while open == nil, let part = backlog.popFirst() { read(part, context) }
        if hasMore { channelReadComplete(context: context) }
        guard open == nil else { return }
        let events = deferredEvents
        deferredEvents = []
        for event in events { userInboundEventTriggered(context: context, event: event) }
        if mustRead, backlog.count < Self.longestBacklog {
            mustRead = false
            context.read()
        }
    }

    private func flushAnswers(_ context: ChannelHandlerContext) {
        guard mustFlush else { return }
        mustFlush = false
        context.flush()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), passedOn > 0 { passedOn -= 1 }
        context.write(data, promise: promise)
    }
}
