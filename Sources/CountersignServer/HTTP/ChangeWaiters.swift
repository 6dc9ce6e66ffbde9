internal import CoreMetrics
internal import Countersign
internal import NIOConcurrencyHelpers

/// The subject of a held request's wait: the request looks again when it changes.
protocol AwaitedTopic: Hashable, Sendable {
    /// The topic that a change concerns; `nil` for changes of something else.
    static func topic(of change: StoreChange) -> Self?
}

/// Decisions about one request for sign-in, and its other steps.
extension SignInRequest.ID: AwaitedTopic {
    static func topic(of change: StoreChange) -> SignInRequest.ID? {
        guard case .exchange(let id, requestCode: _) = change else { return nil }
        return id
    }
}

/// The requests that are addressed to one person.
extension Subject: AwaitedTopic {
    static func topic(of change: StoreChange) -> Subject? {
        guard case .inbox(let subject) = change else { return nil }
        return subject
    }
}

/// The requests of one kind that this node holds open until their topic changes.
final class ChangeWaiters<Topic: AwaitedTopic>: Sendable {
    private struct Entry {
        let owner: Grant.ID?
        let waiter: ChangeWaiter
        let holding: MemoryShare.Holding
    }

    private struct State {
        /// By topic, the oldest first.
        var entries: [Topic: [Entry]] = [:]
        var count = 0
        var isClosed = false

        var all: [ChangeWaiter] { entries.values.flatMap { $0.map(\.waiter) } }

        mutating func remove(at index: Int, of topic: Topic) -> Entry? {
            count -= 1
            let entry = entries[topic]?.remove(at: index)
            if entries[topic]?.isEmpty == true { entries[topic] = nil }
            return entry
        }
    }

    private let state = NIOLockedValueBox(State())
    private let memory: MemoryShare
    private let mostOfOne: Int
    private let timer: WaitTimer
    private let meter: Meter?

    /// Holds requests while there is room in `memory`, of one topic at most `mostOfOne`, and shows in `meter` how many
    /// there are.
    init(in memory: MemoryShare, mostOfOne: Int, timer: WaitTimer, counting meter: Meter? = nil) {
        self.memory = memory
        self.mostOfOne = mostOfOne
        self.timer = timer
        self.meter = meter
    }

    /// The number of requests that are held right now.
    var count: Int { state.withLockedValue { $0.count } }

    /// Whether a request waits for changes of `topic`.
    func isAwaited(_ topic: Topic) -> Bool { state.withLockedValue { $0.entries[topic] != nil } }

    /// Begins to wait; `nil` when there is no room for another request, or the server stops.
    ///
    /// It ends an earlier wait of the same owner, or the first one of the topic when there are as many as it may have.
    /// A wait that gives way to one of another network ends as if the same client had polled again.
    ///
    /// - Parameters:
    ///   - address: The address of the client, whose network the wait counts for; `nil` where it cannot be seen.
    ///   - presence: Tells a task that holds the request whether the client is still connected; `nil` for a request
    ///     that is held at its connection.
    func begin(
        _ topic: Topic,
        of owner: Grant.ID? = nil,
        from address: String?,
        presence: ClientPresence? = nil
    ) -> ChangeWaiter? {
        makeRoom(for: topic, of: owner)
        let waiter = ChangeWaiter(presence: presence, timer: timer)
        let bytes = presence == nil ? MemoryCost.heldAtConnection : MemoryCost.heldInTask
        let network = CountedAddress.text(of: address)
        guard
            let holding = memory.enter(
                bytes, as: .waiting, of: network, givingWay: { waiter.finish(.superseded) })
        else { return nil }
        let isWaiting = state.withLockedValue { state in
            guard !state.isClosed else { return false }
            state.entries[topic, default: []].append(Entry(owner: owner, waiter: waiter, holding: holding))
            state.count += 1
            return true
        }
        guard isWaiting else {
            memory.leave(holding)
            return nil
        }
        meter?.increment()
        return waiter
    }

    /// Ends the wait that another one of the same owner or topic replaces, if there is one.
    private func makeRoom(for topic: Topic, of owner: Grant.ID?) {
        let replaced = state.withLockedValue { state -> Entry? in
            guard !state.isClosed, let entries = state.entries[topic] else { return nil }
            let index =
                owner.flatMap { owner in entries.firstIndex { $0.owner == owner } }
                ?? (entries.count < mostOfOne ? nil : entries.startIndex)
            return index.flatMap { state.remove(at: $0, of: topic) }
        }
        guard let replaced else { return }
        release(replaced)
        replaced.waiter.finish(.superseded)
    }

    /// Ends one wait.
    func end(_ waiter: ChangeWaiter, for topic: Topic) {
        waiter.presence?.disregard()
        let ended = state.withLockedValue { state -> Entry? in
            let index = state.entries[topic]?.firstIndex { $0.waiter === waiter }
            return index.flatMap { state.remove(at: $0, of: topic) }
        }
        if let ended { release(ended) }
    }

    private func release(_ entry: Entry) {
        memory.leave(entry.holding)
        meter?.decrement()
    }

    /// Ends the waits for what changed, at this node or another.
    func storeChanged(_ changes: [StoreChange]) {
        for change in changes {
            switch change {
            case .anything, .notificationsLost:
                for waiter in state.withLockedValue(\.all) { waiter.finish(.changed) }
            default:
                guard let topic = Topic.topic(of: change) else { continue }
                for entry in state.withLockedValue({ $0.entries[topic] ?? [] }) { entry.waiter.finish(.changed) }
            }
        }
    }

    /// Ends every wait and begins no other, because the server stops.
    func close() {
        let all = state.withLockedValue { state in
            state.isClosed = true
            return state.all
        }
        for waiter in all { waiter.finish(.timeOver) }
    }
}

/// The wait of one held request for a change.
final class ChangeWaiter: Sendable {
    /// Why a wait ends.
    enum End: Sendable, Equatable {
        /// Its topic changed, and has to be checked again.
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

    /// Tells whether the client is still connected; `nil` if something else watches that.
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

    /// Calls `onEnd` at the end of the wait, at `latest` by the clock that never jumps if nothing else ends it.
    ///
    /// It takes an instant, not a span: time that passes before the timer starts counts, too.
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

    /// Waits for the end, until `latest`. A cancelled task means that the client disconnected.
    func end(until latest: ContinuousClock.Instant) async -> End {
        await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                end(until: latest) { ended.resume(returning: $0) }
            }
        } onCancel: {
            finish(.left)
        }
    }
}
