package import CoreMetrics
package import Countersign
internal import NIOConcurrencyHelpers

/// The subject of a wait: a held request is checked again when it changes.
package enum AwaitedTopic: Hashable, Sendable {
    /// Decisions about a request for sign-in, and its other steps.
    case signIn(SignInRequest.ID)
    /// The requests that are addressed to a person.
    case inbox(Subject)
    /// The end of the tokens of an approval.
    case grant(Grant.ID)
}

/// The requests of one kind that this node holds open until their topics change.
package final class ChangeWaiters: Sendable {
    private struct Entry {
        let owner: Grant.ID?
        let waiter: ChangeWaiter
        let holding: MemoryShare.Holding
    }

    private struct State {
        /// By topic, the oldest first.
        var entries: [AwaitedTopic: [Entry]] = [:]
        var count = 0
        var isClosed = false

        var all: [ChangeWaiter] { entries.values.flatMap { $0.map(\.waiter) } }

        mutating func remove(at index: Int, of topic: AwaitedTopic) -> Entry? {
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

    /// Creates a holder of requests, of one topic at most `mostOfOne`, while there is room in `memory`; `meter` shows
    /// their number.
    package init(in memory: MemoryShare, mostOfOne: Int, timer: WaitTimer, counting meter: Meter? = nil) {
        self.memory = memory
        self.mostOfOne = mostOfOne
        self.timer = timer
        self.meter = meter
    }

    /// The number of requests that are held.
    package var count: Int { state.withLockedValue { $0.count } }

    /// Whether a request waits for changes of `topic`.
    package func isAwaited(_ topic: AwaitedTopic) -> Bool { state.withLockedValue { $0.entries[topic] != nil } }

    /// Begins to wait; `nil` when there is no room for another request, or the server stops.
    ///
    /// It ends the earlier wait of the same owner, or the first wait of a topic that has as many as it may. A wait that
    /// gives way to one of another network ends as if the same client had polled again.
    ///
    /// - Parameters:
    ///   - address: The client's address, whose network the wait counts for; `nil` where it cannot be seen.
    ///   - presence: The presence of the client, for a request that a task holds; `nil` for one that is held at its
    ///     connection.
    package func begin(
        _ topic: AwaitedTopic,
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

    /// Ends the wait that a new one of the same owner or topic replaces, if any.
    private func makeRoom(for topic: AwaitedTopic, of owner: Grant.ID?) {
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
    package func end(_ waiter: ChangeWaiter, for topic: AwaitedTopic) {
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

    /// Ends the waits for a topic, which changed.
    package func finish(_ topic: AwaitedTopic) {
        for entry in state.withLockedValue({ $0.entries[topic] ?? [] }) { entry.waiter.finish(.changed) }
    }

    /// Ends all waits, since any topic may have changed.
    package func finishAll() {
        for waiter in state.withLockedValue(\.all) { waiter.finish(.changed) }
    }

    /// Ends all waits and begins no other, because the server stops.
    package func close() {
        let all = state.withLockedValue { state in
            state.isClosed = true
            return state.all
        }
        for waiter in all { waiter.finish(.timeOver) }
    }
}
