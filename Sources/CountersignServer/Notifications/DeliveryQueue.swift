internal import CountersignHTTP
internal import Logging
internal import ServiceLifecycle
internal import Tracing
internal import FoundationEssentialsCompat

/// An item of a queue, with attempts until it succeeds or fails.
protocol RetriedItem: Sendable {
    /// The key of a receiver.
    associatedtype Receiver: Hashable & Sendable

    /// The kind of the item, in spans.
    var kind: String { get }
    /// The lane of the item.
    var lane: DeliveryLane { get }
    /// The receiver of the item.
    var receiver: Receiver { get }
    /// The number of attempts.
    var attempts: Int { get set }
    /// The time of the next attempt.
    var due: Date { get set }
}

extension ClientNotice: RetriedItem {
    var kind: String {
        switch matter {
        case .sessionEnded: "logout"
        case .requestEnded: "decision"
        }
    }

    var lane: DeliveryLane { .calls }
    var receiver: ClientID { client }
}

extension Delivery: RetriedItem {}

/// A queue in the store for calls over the network, which may fail.
///
/// Each node works on it. The change that claims an item counts the attempt and sets the time of the next one, after
/// the longest duration of this one: so one node at a time works on it, and a node that stops loses nothing. An
/// unresponsive receiver delays only its own items, because it has few of the slots of its lane.
protocol DeliveryQueue: NamedService {
    associatedtype Item: RetriedItem

    /// The name of the queue's items, in the log.
    static var subject: String { get }
    var store: any Store { get }
    var clock: TimeSource { get }
    var logger: Logger { get }
    /// Makes a span of each attempt; `nil` when there are none.
    var tracing: ServerTracing? { get }

    /// The items of a lane that are due, the longest due first, except those for full receivers.
    func due(
        in lane: DeliveryLane,
        at now: Date,
        exceptTo full: Set<Item.Receiver>,
        limit: Int,
        in repositories: any Repositories
    ) throws -> [Item]
    /// The time of the attempt after the one that begins now; `nil` when none is left, so that the item fails.
    func next(after item: Item, at now: Date) -> Date?
    /// Stores the attempts and the due time of an item.
    func update(_ item: Item, in repositories: any Repositories) throws
    /// Ends an item whose last attempt had no result.
    func giveUp(_ item: Item, at now: Date, in repositories: any Repositories) throws
    /// Makes one attempt, and stores its result by ``recordResult(_:)``.
    func deliver(_ item: Item) async throws
}

/// The delays of a queue.
private enum RetrySchedule {
    /// The pause when no item of a queue is due.
    static let pause: Duration = .seconds(1)
    /// The delays before a result is recorded again; together they are shorter than the delay of the next attempt.
    static let recording: [Duration] = [.milliseconds(200), .milliseconds(800), .seconds(2)]
}

/// The event that ends a wait of a queue.
private enum QueueEvent<Item: Sendable>: Sendable {
    /// The end of an attempt at an item.
    case attempt(Item)
    /// The end of the pause before the next look-up.
    case pause
}

extension DeliveryQueue {
    /// Works on the queue until the server stops. Attempts in progress are completed and their results stored, so that
    /// no text message is sent and paid for twice.
    func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            do {
                try await deliver()
            } catch is CancellationError {
                return
            } catch {
                logger.error("\(Self.subject) were not delivered", metadata: ["reason": "\(error)"])
            }
            do {
                try await cancelWhenGracefulShutdown { try await clock.sleep(for: RetrySchedule.pause) }
            } catch {
                return
            }
        }
    }

    /// Attempts all due items, within the slots of their lanes.
    ///
    /// A failed item is logged, and waits for its next attempt. No more items are claimed once the server stops.
    /// - Throws: The error of a claim, after the earlier attempts have ended.
    func deliver() async throws {
        let problem: (any Error)? = await withTaskGroup(of: QueueEvent<Item>.self) { group in
            var working = ItemsInFlight<Item.Receiver>()
            var failure: (any Error)?
            var isPausing = false
            while true {
                if failure == nil, !Task.isShuttingDownGracefully {
                    do {
                        try Task.checkCancellation()
                        for item in try await claim(besides: working) {
                            group.addTask {
                                await attempt(item)
                                return .attempt(item)
                            }
                            working.begin(item.receiver, in: item.lane)
                        }
                    } catch {
                        failure = error
                    }
                }
                guard !working.isEmpty else { break }
                // Items that become due meanwhile do not wait for the end of an attempt.
                if failure == nil, !isPausing {
                    group.addTask {
                        try? await clock.sleep(for: RetrySchedule.pause)
                        return .pause
                    }
                    isPausing = true
                }
                // The next attempt begins as soon as any has ended.
                switch await group.next() {
                case .attempt(let item): working.end(item.receiver, in: item.lane)
                case .pause: isPausing = false
                case nil: break
                }
            }
            group.cancelAll()
            return failure
        }
        if let problem { throw problem }
    }

    /// Records the result of an attempt, also when this task is cancelled: an item without a result is attempted again.
    /// While the store is unavailable the change is repeated a few times, so `change` must be idempotent.
    func recordResult(_ change: @escaping @Sendable (any Repositories) throws -> Void) async throws {
        let recording = Task<Void, any Error> {
            for delay in RetrySchedule.recording {
                do {
                    return try await store.change(change)
                } catch is StoreUnavailableError {
                    try await clock.sleep(for: delay)
                }
            }
            try await store.change(change)
        }
        try await recording.value
    }

    /// Delivers an item. The time of its next attempt was set when it was claimed.
    private func attempt(_ item: Item) async {
        let span = tracing?.work("deliver \(item.kind)", ["countersign.delivery.kind": .string(item.kind)])
        do {
            try await span.run { try await deliver(item) }
            span?.end()
        } catch is CancellationError {
            span?.end(failure: "cancelled")
        } catch {
            span?.end(failure: "\(type(of: error))")
            logger.error("one of the \(Self.subject) was not delivered", metadata: ["reason": "\(error)"])
        }
    }

    /// Claims items in addition to those in flight.
    private func claim(besides working: ItemsInFlight<Item.Receiver>) async throws -> [Item] {
        let now = clock.now()
        // Usually nothing is due; a read is then enough.
        let isQuiet = try await store.read { repositories in
            try DeliveryLane.allCases.allSatisfy { lane in
                guard working.room(in: lane) > 0 else { return true }
                let full = working.fullReceivers(in: lane)
                return try due(in: lane, at: now, exceptTo: full, limit: 1, in: repositories).isEmpty
            }
        }
        guard !isQuiet else { return [] }
        return try await store.change { repositories in
            try DeliveryLane.allCases.flatMap { lane in
                try claim(in: lane, besides: working, at: now, in: repositories)
            }
        }
    }

    /// The same for one lane.
    private func claim(
        in lane: DeliveryLane,
        besides working: ItemsInFlight<Item.Receiver>,
        at now: Date,
        in repositories: any Repositories
    ) throws -> [Item] {
        var working = working
        var claimed: [Item] = []
        var hasProgress = true
        while hasProgress, working.room(in: lane) > 0 {
            hasProgress = false
            let (full, room) = (working.fullReceivers(in: lane), working.room(in: lane))
            for var item in try due(in: lane, at: now, exceptTo: full, limit: room, in: repositories) {
                guard working.hasRoom(for: item.receiver, in: lane) else {
                    // Its receiver is full now; items for others may be due after it.
                    hasProgress = true
                    continue
                }
                guard let next = next(after: item, at: now) else {
                    try giveUp(item, at: now, in: repositories)
                    continue
                }
                item.due = next
                item.attempts += 1
                try update(item, in: repositories)
                working.begin(item.receiver, in: lane)
                claimed.append(item)
            }
        }
        return claimed
    }
}
