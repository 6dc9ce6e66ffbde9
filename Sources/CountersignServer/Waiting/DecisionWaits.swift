internal import CoreMetrics
internal import Countersign
internal import NIOConcurrencyHelpers

/// The token requests that are held open until their decision.
final class DecisionWaits: Sendable {
    private struct Waits {
        var waiting: [SignInRequest.ID: Waiting] = [:]
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

    /// Begins to wait for a decision, which ends an earlier wait for the same request; `nil` when too many wait.
    func begin(_ id: SignInRequest.ID, presence: ClientPresence? = nil) -> Waiting? {
        let (waiting, earlier) = waits.withLockedValue { waits -> (Waiting?, Waiting?) in
            let earlier = waits.waiting[id]
            guard !waits.isClosed, earlier != nil || waits.waiting.count < capacity else { return (nil, nil) }
            let waiting = Waiting(id: id, presence: presence)
            waits.waiting[id] = waiting
            return (waiting, earlier)
        }
        if waiting != nil, earlier == nil { meter?.increment() }
        earlier?.finish(.superseded)
        return waiting
    }

    /// Ends one wait.
    func end(_ waiting: Waiting) {
        waiting.presence?.disregard()
        let isLast = waits.withLockedValue { waits in
            guard waits.waiting[waiting.id] === waiting else { return false }
            waits.waiting[waiting.id] = nil
            return true
        }
        if isLast { meter?.decrement() }
    }

    /// Wakes the waits for requests that took a step, at this node or another.
    func storeChanged(_ changes: [StoreChange]) {
        for change in changes {
            switch change {
            case .exchange(let id, deviceCode: _): waits.withLockedValue { $0.waiting[id] }?.finish(.changed)
            case .anything: for waiting in all() { waiting.finish(.changed) }
            default: break
            }
        }
    }

    private func all() -> [Waiting] { waits.withLockedValue { Array($0.waiting.values) } }

    /// Ends every wait and begins no other: the server stops.
    func close() {
        let all = waits.withLockedValue { waits in
            waits.isClosed = true
            return Array(waits.waiting.values)
        }
        for waiting in all { waiting.finish(.timeOver) }
    }
}

/// One held request.
final class Waiting: Sendable {
    /// Why a wait ends.
    enum End: Sendable, Equatable {
        /// The request took a step, and has to be looked at again.
        case changed
        case timeOver
        /// The same client asked again elsewhere.
        case superseded
        /// The client closed its connection.
        case left
    }

    private struct State {
        var end: End?
        var hear: (@Sendable (End) -> Void)?
        var timer: Task<Void, any Error>?
    }

    let id: SignInRequest.ID
    /// Whether the client is still there, where nothing else watches that.
    let presence: ClientPresence?
    private let state = NIOLockedValueBox(State())

    init(id: SignInRequest.ID, presence: ClientPresence?) {
        self.id = id
        self.presence = presence
    }

    /// Ends the wait; the first reason counts.
    func finish(_ end: End) {
        let (hear, timer) = state.withLockedValue { state -> ((@Sendable (End) -> Void)?, Task<Void, any Error>?) in
            guard state.end == nil else { return (nil, nil) }
            defer { state = State(end: end) }
            return (state.hear, state.timer)
        }
        timer?.cancel()
        hear?(end)
    }

    /// Tells `hear` of the end, which comes after `span` at the latest.
    func end(within span: Duration, by clock: TimeSource, _ hear: @escaping @Sendable (End) -> Void) {
        let ended = state.withLockedValue { state in
            if state.end == nil { state.hear = hear }
            return state.end
        }
        if let ended { return hear(ended) }
        presence?.whenLeft { [self] in finish(.left) }
        let timer = Task { [self] in
            try await clock.sleep(for: span)
            finish(.timeOver)
        }
        let isOver = state.withLockedValue { state in
            if state.end == nil { state.timer = timer }
            return state.end != nil
        }
        if isOver { timer.cancel() }
    }

    /// Waits for the end, at most for `span`. A task that is cancelled has no client any more.
    func end(within span: Duration, by clock: TimeSource) async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                end(within: span, by: clock) { ended.resume(returning: $0) }
            }
        } onCancel: {
            finish(.left)
        }
    }
}
