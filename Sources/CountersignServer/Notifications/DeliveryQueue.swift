internal import Countersign
internal import Logging
internal import ServiceLifecycle
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Something that is tried again until it succeeds or is given up.
protocol RetriedItem: Sendable {
    /// The value that tells receivers apart.
    associatedtype Receiver: Hashable & Sendable

    /// The lane whose slots it uses.
    var lane: DeliveryLane { get }
    /// The receiver of the item.
    var receiver: Receiver { get }
    /// The number of attempts.
    var attempts: Int { get set }
    /// The time of the next attempt.
    var due: Date { get set }
}

extension ClientNotice: RetriedItem {
    var lane: DeliveryLane { .calls }
    var receiver: ClientID { client }
}

extension Delivery: RetriedItem {}

/// A queue in the store that is worked off by calls over the network, which may fail.
///
/// Each node works on it. An item is claimed by the change that counts the attempt and sets the time of the next one,
/// which is later than this one can last: so one node at a time works on it, and a node that ends in between loses
/// nothing. A receiver that does not answer delays only itself: it has few of the slots of its lane, and items for it
/// are left alone while it uses them all.
protocol DeliveryQueue: NamedService {
    associatedtype Item: RetriedItem

    /// The name of the queue's items, in the log.
    static var subject: String { get }
    var store: any Store { get }
    var clock: TimeSource { get }
    var logger: Logger { get }

    /// The items of a lane that are due, the longest due first, without those for receivers that are full.
    func due(
        in lane: DeliveryLane,
        at now: Date,
        exceptTo full: Set<Item.Receiver>,
        limit: Int,
        in repositories: any Repositories
    ) throws -> [Item]
    /// The time of the attempt after the one that begins now; `nil` when there is none, and the item is given up.
    func next(after item: Item, at now: Date) -> Date?
    /// Keeps the attempts of an item, and when it is due.
    func update(_ item: Item, in repositories: any Repositories) throws
    /// Ends an item whose last attempt brought no answer.
    func giveUp(_ item: Item, at now: Date, in repositories: any Repositories) throws
    /// Makes one attempt, and keeps what became of it by ``recordResult(_:)``.
    func deliver(_ item: Item) async throws
}

/// The delays of a queue that is worked off.
private enum RetrySchedule {
    /// The pause when no item of a queue is due.
    static let pause: Duration = .seconds(1)
    /// The delays before a result is recorded once more. Together they end before the item is due again.
    static let recording: [Duration] = [.milliseconds(200), .milliseconds(800), .seconds(2)]
}

/// The event that ends a wait while a queue is worked off.
private enum QueueEvent<Item: Sendable>: Sendable {
    /// An attempt at an item.
    case attempt(Item)
    /// The time after which the queue is looked at again.
    case pause
}

extension DeliveryQueue {
    /// Works on the queue until the server stops. Attempts that have begun then end, and their results are kept: a text
    /// message that was sent would otherwise be sent and paid for again.
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

    /// Works on each item that is due, some at a time, until there is no more.
    ///
    /// An item that fails is logged and left for its next attempt; the others go on. No more items are claimed once the
    /// server stops.
    /// - Throws: The error that kept items from being claimed, once those that were claimed before have ended.
    func deliver() async throws {
        let problem: (any Error)? = await withTaskGroup(of: QueueEvent<Item>.self) { group in
            var working = ItemsInFlight<Item.Receiver>()
            var failure: (any Error)?
            var isPausing = false
            while true {
                if failure == nil, !Task.isShuttingDownGracefully {
                    do {
                        try Task.checkCancellation()
                        for item in try await claim(beside: working) {
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
                // Items that become due meanwhile do not wait for an attempt to end.
                if failure == nil, !isPausing {
                    group.addTask {
                        try? await clock.sleep(for: RetrySchedule.pause)
                        return .pause
                    }
                    isPausing = true
                }
                // The next one begins as soon as any has ended.
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

    /// Records the result of an attempt, also when this task is cancelled: an item whose result is lost is tried again.
    /// While the store is unavailable the change is tried again a few times, so `change` must allow for being made
    /// twice.
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
        do {
            try await deliver(item)
        } catch is CancellationError {
            return
        } catch {
            logger.error("one of the \(Self.subject) was not delivered", metadata: ["reason": "\(error)"])
        }
    }

    /// The items that this node works on now, beside others.
    private func claim(beside working: ItemsInFlight<Item.Receiver>) async throws -> [Item] {
        let now = clock.now()
        // Mostly nothing is due, and then nothing is written.
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
                try claim(in: lane, beside: working, at: now, in: repositories)
            }
        }
    }

    /// The same for one lane.
    private func claim(
        in lane: DeliveryLane,
        beside working: ItemsInFlight<Item.Receiver>,
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
                    // Its receiver became full just now; others may be due after it.
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
