internal import CoreMetrics
internal import Countersign
internal import NIOConcurrencyHelpers

/// The token requests that are held open until somebody decides.
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

    /// Whether somebody waits for this request's decision.
    func isHeld(_ id: SignInRequest.ID) -> Bool { waits.withLockedValue { $0.waiting[id] != nil } }

    /// Begins to wait for a decision, which ends an earlier wait for the same request; `nil` when too many wait.
    func begin(_ id: SignInRequest.ID, presence: ClientPresence) -> Waiting? {
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
        waiting.presence.disregard()
        let isLast = waits.withLockedValue { waits in
            guard waits.waiting[waiting.id] === waiting else { return false }
            waits.waiting[waiting.id] = nil
            return true
        }
        if isLast { meter?.decrement() }
    }

    /// Wakes whoever waits for a request that took a step, at this node or another.
    func hear(_ news: [StoreNews]) {
        for one in news {
            switch one {
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
        /// The request took a step: whoever waits looks at it again.
        case changed
        case timeOver
        /// The same client asked again elsewhere.
        case superseded
        /// The client closed its connection.
        case left
    }

    let id: SignInRequest.ID
    let presence: ClientPresence
    private let ends: AsyncStream<End>
    private let finishing: AsyncStream<End>.Continuation

    init(id: SignInRequest.ID, presence: ClientPresence) {
        self.id = id
        self.presence = presence
        (ends, finishing) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Ends the wait; the first reason counts.
    func finish(_ end: End) {
        finishing.yield(end)
        finishing.finish()
    }

    /// Waits for the end, at most for `span`.
    func end(within span: Duration, by clock: ServerClock) async -> End {
        presence.whenLeft { [self] in finish(.left) }
        let timer = Task { [self] in
            try await clock.sleep(span)
            finish(.timeOver)
        }
        defer { timer.cancel() }
        for await end in ends { return end }
        // The task itself was cancelled: nobody waits for the answer any more.
        return .left
    }
}
