internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTPTypes

/// The first demand of a connection for the router.
///
/// The router works in a task of each connection, whose frames take more memory than the rest of a screen that waits on
/// the fast path. So the task stops before them until the first request passes the fast path, or the connection ends.
final class RouterDemand: Sendable {
    private enum State {
        case none
        case awaited(UnsafeContinuation<Void, Never>)
        case arisen
    }

    private let state = NIOLockedValueBox(State.none)

    /// Returns when the demand arises; one task may wait.
    func arises() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let hasArisen = state.withLockedValue { state in
                    if case .arisen = state { return true }
                    state = .awaited(continuation)
                    return false
                }
                if hasArisen { continuation.resume() }
            }
        } onCancel: {
            arise()
        }
    }

    /// Lets the task go on; every call after the first has no effect.
    func arise() {
        let state = state.withLockedValue { state in
            defer { state = .arisen }
            return state
        }
        if case .awaited(let continuation) = state { continuation.resume() }
    }

    /// Notices input for the router, as the first handler after the fast path.
    final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart

        private let demand: RouterDemand

        init(_ demand: RouterDemand) {
            self.demand = demand
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            demand.arise()
            context.fireChannelRead(data)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { demand.arise() }
            context.fireUserInboundEventTriggered(event)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            demand.arise()
            context.fireErrorCaught(error)
        }

        func channelInactive(context: ChannelHandlerContext) {
            demand.arise()
            context.fireChannelInactive()
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            demand.arise()
        }
    }
}
