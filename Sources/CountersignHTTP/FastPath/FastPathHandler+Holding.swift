internal import Logging
internal import NIOCore

/// A request of the fast path that has no answer yet: it is held, or a task works on its answer.
final class OpenRequest {
    let measured: MeasuredRequest
    var logger: Logger
    /// `nil` for a request that is not held.
    let wait: (any FastPathWait)?
    /// The wait that is running.
    var waiting: ChangeWaiter?
    var wasHeld = false
    /// Whether a task works on the answer.
    var isWorking = false
    /// The end of its wait, if it was decided while a task worked.
    var end: ChangeWaiter.End?

    init(_ measured: MeasuredRequest, logger: Logger, wait: (any FastPathWait)? = nil) {
        self.measured = measured
        self.logger = logger
        self.wait = wait
    }
}

extension FastPathHandler {
    /// Begins to wait, and checks once more, since the decision may have been made just before.
    func hold(_ open: OpenRequest, _ wait: any FastPathWait, _ context: ChannelHandlerContext) {
        guard begin(open, wait, context) else { return }
        if wait.isPending {
            awaitEnd(open, wait, context)
        } else {
            look(open, wait, context)
        }
    }

    private func begin(_ open: OpenRequest, _ wait: any FastPathWait, _ context: ChannelHandlerContext) -> Bool {
        guard let waiting = wait.begin() else {
            finish(open, wait.answerWithoutWaiting(open.logger), context)
            return false
        }
        open.waiting = waiting
        open.wasHeld = true
        return true
    }

    private func awaitEnd(_ open: OpenRequest, _ wait: any FastPathWait, _ context: ChannelHandlerContext) {
        guard let waiting = open.waiting else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        waiting.end(until: wait.end) { [loop = context.eventLoop] end in
            loop.execute {
                let (handler, context) = bound.value
                guard let open = handler.open, open.waiting === waiting, !open.isWorking else { return }
                handler.settle(open, after: end, context)
            }
        }
    }

    private func look(_ open: OpenRequest, _ wait: any FastPathWait, _ context: ChannelHandlerContext) {
        work(on: open, context) { await wait.look($0) }
    }

    /// Answers a request whose wait ended, or checks it again.
    func settle(_ open: OpenRequest, after end: ChangeWaiter.End, _ context: ChannelHandlerContext) {
        guard let wait = open.wait else { return }
        if let answer = wait.answer(after: end, open.logger) {
            finish(open, answer, context)
        } else if begin(open, wait, context) {
            look(open, wait, context)
        }
    }

    /// Works on the answer in a task; if there is none yet, the request stays held.
    func work(
        on open: OpenRequest,
        _ context: ChannelHandlerContext,
        _ answer: @escaping @Sendable (Logger) async -> JSONResponse?
    ) {
        open.isWorking = true
        if open.logger[metadataKey: Logger.requestID] == nil {
            open.logger = path.logger(isNamed: true)
            open.measured.span?.note(in: &open.logger)
        }
        let bound = NIOLoopBound((self, open, context), eventLoop: context.eventLoop)
        context.eventLoop.beginTask { [loop = context.eventLoop, logger = open.logger, span = open.measured.span] in
            let answer = await withLogger(logger) { logger in
                await span.run { await answer(logger) }
            }
            loop.execute {
                let (handler, open, context) = bound.value
                handler.finishWork(open, answer, context)
            }
        }
    }

    private func finishWork(_ open: OpenRequest, _ answer: JSONResponse?, _ context: ChannelHandlerContext) {
        open.isWorking = false
        if let answer {
            finish(open, answer, context)
        } else if let wait = open.wait {
            if let end = open.end { settle(open, after: end, context) } else { awaitEnd(open, wait, context) }
        }
    }
}
