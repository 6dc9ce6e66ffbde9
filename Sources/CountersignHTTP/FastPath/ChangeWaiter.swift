internal import Countersign
internal import NIOConcurrencyHelpers

/// The wait of one held request for a change.
package final class ChangeWaiter: Sendable {
    /// The reason for the end of a wait.
    package enum End: Sendable, Equatable {
        /// Its topic changed: the request is checked again.
        case changed
        case timeOver
        /// The same client polled again on another connection, or the memory is needed for another network.
        case superseded
        /// The client closed its connection.
        case left
    }

    private struct State {
        var end: End?
        var onEnd: (@Sendable (End) -> Void)?
        var deadline: WaitDeadlines<ChangeWaiter>.Number?
    }

    /// The presence of the client; `nil` where the handler of its connection watches that.
    let presence: ClientPresence?
    private let timer: WaitTimer
    private let state = NIOLockedValueBox(State())

    init(presence: ClientPresence?, timer: WaitTimer) {
        self.presence = presence
        self.timer = timer
    }

    /// Ends the wait; the first reason counts.
    func finish(_ end: End) {
        let before = state.withLockedValue { state in
            defer { if state.end == nil { state = State(end: end) } }
            return state
        }
        guard before.end == nil else { return }
        if let deadline = before.deadline { timer.remove(deadline) }
        before.onEnd?(end)
    }

    /// Calls `onEnd` at the end of the wait, no later than `latest` by the clock that never jumps.
    func end(until latest: ContinuousClock.Instant, _ onEnd: @escaping @Sendable (End) -> Void) {
        let ended = state.withLockedValue { state in
            if state.end == nil { state.onEnd = onEnd }
            return state.end
        }
        if let ended { return onEnd(ended) }
        presence?.whenLeft { [self] in finish(.left) }
        let deadline = timer.add(self, until: latest)
        let isOver = state.withLockedValue { state in
            if state.end == nil { state.deadline = deadline }
            return state.end != nil
        }
        if isOver { timer.remove(deadline) }
    }

    /// Waits for the end, until `latest`; a task is cancelled when its client has disconnected.
    package func end(until latest: ContinuousClock.Instant) async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                end(until: latest) { ended.resume(returning: $0) }
            }
        } onCancel: {
            finish(.left)
        }
    }
}
