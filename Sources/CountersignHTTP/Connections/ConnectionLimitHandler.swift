internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection when its client is too slow or sends too much, or after an answer when the server is going to stop.
///
/// The HTTP decoder limits the size of a head, and ``ConnectionLimits/longestSilence`` the time for it. When the memory
/// of all connections is used up, ``ConnectionMemory`` chooses those that are closed.
/// Standard: RFC 9112 §9.5, §9.6.
final class ConnectionLimitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    let memory: ConnectionMemory
    private let drain: ConnectionDrain
    private var state = HTTPConnectionState()
    /// The request that the parser refused; nothing more is read then.
    private var unreadable: UnreadableRequest?
    private var reading: Scheduled<Void>?
    private var stalling: Scheduled<Void>?
    private var silence: Scheduled<Void>?
    /// The time of the last beginning of a request or end of an answer.
    private var heard = NIODeadline.distantPast

    init(_ limits: ConnectionLimits, _ memory: ConnectionMemory, endedBy drain: ConnectionDrain) {
        self.limits = limits
        self.memory = memory
        self.drain = drain
    }

    // MARK: Opening and closing

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        guard memory.open(from: context.remoteAddress?.ipAddress, givingWay: { channel.close(promise: nil) }) else {
            context.close(promise: nil)
            return
        }
        heard = context.eventLoop.now
        watchForSilence(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    private func end() {
        reading?.cancel()
        stalling?.cancel()
        silence?.cancel()
        memory.close()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var isOver = false
        switch unwrapInboundIn(data) {
        case .head(let head):
            state.begin(isLast: head.isLastToBeRead)
            memory.beginRequest(head)
            heard = context.eventLoop.now
        case .body(let bytes):
            guard state.read(bytes.readableBytes) <= limits.longestBody else {
                context.close(promise: nil)
                return
            }
        case .end:
            isOver = state.finishReading()
            memory.finishRequest()
            reading?.cancel()
            reading = nil
            if state.isAnswering { memory.note(isBusy: true) }
        }
        context.fireChannelRead(data)
        if isOver { context.close(promise: nil) }
    }

    /// A request that came in one piece needs no timer.
    func channelReadComplete(context: ChannelHandlerContext) {
        countMemory(context)
        if state.isReading, reading == nil { reading = close(context, after: limits.longestRequest) }
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Keeps the first error: later ones are refused without a reason of their own.
        unreadable = unreadable ?? UnreadableRequest(error)
        context.fireErrorCaught(error)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        guard !state.hasAnsweredAll else {
            // An answer to input after the last request, which is no request.
            promise?.succeed()
            if case .end = part { context.close(promise: nil) }
            return
        }
        switch part {
        case .head(let head) where head.status.kind == .informational:
            // The answer itself is still to come.
            break
        case .head(var head):
            guard state.beginAnswer(isEnding: drain.hasBegun) else { break }
            head.headerFields[.connection] = "close"
            if let (head, body) = unreadable?.answer(replacing: head) {
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(body)), promise: promise)
            } else {
                context.write(wrapOutboundOut(.head(head)), promise: promise)
            }
            return
        case .body:
            break
        case .end:
            memory.finishAnswer(of: state.open)
            let isOver = state.finishAnswer()
            if !state.isAnswering { memory.note(isBusy: false) }
            heard = context.eventLoop.now
            countMemory(context)
            guard isOver else { break }
            context.writeAndFlush(data, promise: promise)
            context.close(promise: nil)
            return
        }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stalling?.cancel()
        stalling = context.channel.isWritable ? nil : close(context, after: limits.longestStall)
        countMemory(context)
        context.fireChannelWritabilityChanged()
    }

    /// Counts the memory of the requests, once for all input that was read together.
    private func countMemory(_ context: ChannelHandlerContext) {
        if !memory.count(open: state.open, isRead: context.channel.isWritable) { context.close(promise: nil) }
    }

    /// Closes the connection when it was idle for too long, between two requests or before the first.
    ///
    /// The timer checks the time when it fires: to move it for each request would cost more.
    private func watchForSilence(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        silence = context.eventLoop.scheduleTask(deadline: endOfSilence(at: context.eventLoop.now)) {
            let (handler, context) = bound.value
            let now = context.eventLoop.now
            if now >= handler.endOfSilence(at: now) {
                context.close(promise: nil)
            } else {
                handler.watchForSilence(context)
            }
        }
    }

    /// The end of the longest idle time of the connection, without further input.
    private func endOfSilence(at now: NIODeadline) -> NIODeadline {
        let isBusy = state.isReading || state.isAnswering
        return (isBusy ? now : heard) + .milliseconds(Int64(limits.longestSilence * 1000))
    }

    private func close(_ context: ChannelHandlerContext, after seconds: Double) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: .milliseconds(Int64(seconds * 1000))) {
            channel.close(promise: nil)
        }
    }
}

extension HTTPRequest {
    /// Whether no further request is read on the connection: the client announces that, or it asks to speak another
    /// protocol afterwards, at which the parser stops. A proxy would reuse the connection for another client's request.
    ///
    /// Standard: RFC 9110 §7.8, §9.3.6.
    fileprivate var isLastToBeRead: Bool {
        headerFields.announceClose || headerFields.contains(.upgrade) || method == .connect
    }
}

extension HTTPFields {
    /// Whether the client announces that it sends no further request.
    ///
    /// Standard: RFC 9110 §7.6.1.
    fileprivate var announceClose: Bool {
        self[values: .connection].contains { value in
            value.split(separator: ",").contains { option in
                option.filter { $0 != " " && $0 != "\t" }.lowercased() == "close"
            }
        }
    }
}
