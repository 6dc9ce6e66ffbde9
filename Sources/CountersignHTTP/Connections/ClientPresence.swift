internal import NIOConcurrencyHelpers
package import NIOCore
internal import NIOHTTPTypes

/// Notices that the client of a connection disconnected.
///
/// A server that holds a request does not read, and so would not see that.
package final class ClientPresence: Sendable {
    private struct State {
        var hasLeft = false
        var waiting: (@Sendable () -> Void)?
    }

    private let state = NIOLockedValueBox(State())

    /// Whether the client has closed its side.
    package var hasLeft: Bool { state.withLockedValue { $0.hasLeft } }

    /// Calls `act` when the client leaves, or at once if it has left; the latest call counts.
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

    /// The presence of the client on `channel`; without a ``Watch`` the client never leaves.
    package static func of(_ channel: any Channel) async -> ClientPresence {
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
