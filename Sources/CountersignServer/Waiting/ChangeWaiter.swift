internal import Countersign
internal import NIOConcurrencyHelpers

/// The wait of one held request for a change.
final class ChangeWaiter: Sendable {
    /// Why a wait ends.
    enum End: Sendable, Equatable {
        /// Its topic changed, and has to be checked again.
        case changed
        case timeOver
        /// The same client polled again on another connection.
        case superseded
        /// The client closed its connection.
        case left
    }

    private struct State {
        var end: End?
        var onEnd: (@Sendable (End) -> Void)?
        var timer: Task<Void, any Error>?
    }

    /// Tells whether the client is still connected; `nil` if something else watches that.
    let presence: ClientPresence?
    private let state = NIOLockedValueBox(State())

    init(presence: ClientPresence?) {
        self.presence = presence
    }

    /// Ends the wait; the first reason counts.
    func finish(_ end: End) {
        let (onEnd, timer) = state.withLockedValue { state -> ((@Sendable (End) -> Void)?, Task<Void, any Error>?) in
            guard state.end == nil else { return (nil, nil) }
            defer { state = State(end: end) }
            return (state.onEnd, state.timer)
        }
        timer?.cancel()
        onEnd?(end)
    }

    /// Calls `onEnd` at the end of the wait, at `latest` by the clock that never jumps if nothing else ends it.
    ///
    /// It takes an instant, not a span: time that passes before the timer starts counts, too.
    func end(until latest: ContinuousClock.Instant, by clock: TimeSource, _ onEnd: @escaping @Sendable (End) -> Void) {
        let ended = state.withLockedValue { state in
            if state.end == nil { state.onEnd = onEnd }
            return state.end
        }
        if let ended { return onEnd(ended) }
        presence?.whenLeft { [self] in finish(.left) }
        let timer = Task { [self] in
            try await clock.sleep(until: latest)
            finish(.timeOver)
        }
        let isOver = state.withLockedValue { state in
            if state.end == nil { state.timer = timer }
            return state.end != nil
        }
        if isOver { timer.cancel() }
    }

    /// Waits for the end, until `latest`. A cancelled task means that the client disconnected.
    func end(until latest: ContinuousClock.Instant, by clock: TimeSource) async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                end(until: latest, by: clock) { ended.resume(returning: $0) }
            }
        } onCancel: {
            finish(.left)
        }
    }
}
