internal import CoreMetrics
internal import Countersign
internal import NIOConcurrencyHelpers

/// The token requests that this node holds open until their decision.
final class PollWaiters: Sendable {
    private struct Waits {
        var waiting: [SignInRequest.ID: PollWaiter] = [:]
        var isClosed = false
    }

    private let waits = NIOLockedValueBox(Waits())
    private let capacity: Int
    private let meter: Meter?

    /// Holds at most `capacity` requests, and shows in `meter` how many there are.
    init(capacity: Int, counting meter: Meter? = nil) {
        self.capacity = capacity
        self.meter = meter
    }

    /// How many requests are held right now.
    var count: Int { waits.withLockedValue { $0.waiting.count } }

    /// Whether a token request waits for this decision.
    func isHeld(_ id: SignInRequest.ID) -> Bool { waits.withLockedValue { $0.waiting[id] != nil } }

    /// Begins to wait for a decision, which ends an earlier wait for the same request; `nil` when too many requests
    /// wait.
    func begin(_ id: SignInRequest.ID, presence: ClientPresence? = nil) -> PollWaiter? {
        let (waiting, earlier) = waits.withLockedValue { waits -> (PollWaiter?, PollWaiter?) in
            let earlier = waits.waiting[id]
            guard !waits.isClosed, earlier != nil || waits.waiting.count < capacity else { return (nil, nil) }
            let waiting = PollWaiter(id: id, presence: presence)
            waits.waiting[id] = waiting
            return (waiting, earlier)
        }
        if waiting != nil, earlier == nil { meter?.increment() }
        earlier?.finish(.superseded)
        return waiting
    }

    /// Ends one wait.
    func end(_ waiting: PollWaiter) {
        waiting.presence?.disregard()
        guard let id = waiting.id else { return }
        let isLast = waits.withLockedValue { waits in
            guard waits.waiting[id] === waiting else { return false }
            waits.waiting[id] = nil
            return true
        }
        if isLast { meter?.decrement() }
    }

    /// Ends the waits for requests that changed, at this node or another.
    func storeChanged(_ changes: [StoreChange]) {
        for change in changes {
            switch change {
            case .exchange(let id, deviceCode: _): waits.withLockedValue { $0.waiting[id] }?.finish(.changed)
            case .anything, .notificationsLost: for waiting in all() { waiting.finish(.changed) }
            default: break
            }
        }
    }

    private func all() -> [PollWaiter] { waits.withLockedValue { Array($0.waiting.values) } }

    /// Ends every wait and begins no other, because the server stops.
    func close() {
        let all = waits.withLockedValue { waits in
            waits.isClosed = true
            return Array(waits.waiting.values)
        }
        for waiting in all { waiting.finish(.timeOver) }
    }
}

/// Waits for the decision about one held request, or for something else that was asked for.
final class PollWaiter: Sendable {
    /// Why a wait ends.
    enum End: Sendable, Equatable {
        /// The request changed, and has to be checked again.
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

    /// The request whose decision is awaited; `nil` for a wait for something else.
    let id: SignInRequest.ID?
    /// Tells whether the client is still connected; `nil` if something else watches that.
    let presence: ClientPresence?
    private let state = NIOLockedValueBox(State())

    init(id: SignInRequest.ID? = nil, presence: ClientPresence?) {
        self.id = id
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
