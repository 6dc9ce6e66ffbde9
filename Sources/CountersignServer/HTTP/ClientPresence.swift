internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTPTypes

/// Tells whether the client of a connection is still connected.
///
/// A server that holds a request does not read, and so does not notice that the client closed the connection; this
/// does.
final class ClientPresence: Sendable {
    private struct State {
        var hasLeft = false
        var waiting: (@Sendable () -> Void)?
    }

    private let state = NIOLockedValueBox(State())

    /// Whether the client has closed its side.
    var hasLeft: Bool { state.withLockedValue { $0.hasLeft } }

    /// Calls `act` when the client leaves, at once if it has left; a later call replaces an earlier one.
    func whenLeft(_ act: @escaping @Sendable () -> Void) {
        let hasLeft = state.withLockedValue { state in
            state.waiting = act
            return state.hasLeft
        }
        if hasLeft { act() }
    }

    /// Removes the callback.
    func disregard() {
        state.withLockedValue { $0.waiting = nil }
    }

    fileprivate func leave() {
        let act = state.withLockedValue { state in
            state.hasLeft = true
            return state.waiting
        }
        act?()
    }

    /// The presence of the client on `channel`; one that never leaves if the channel has no ``Watch``.
    static func of(_ channel: any Channel) async -> ClientPresence {
        let found = channel.eventLoop.submit {
            try channel.pipeline.syncOperations.handler(type: Watch.self).presence
        }
        return (try? await found.get()) ?? ClientPresence()
    }

    /// Watches one connection.
    final class Watch: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart

        let presence = ClientPresence()

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed { presence.leave() }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            presence.leave()
            context.fireChannelInactive()
        }
    }
}
