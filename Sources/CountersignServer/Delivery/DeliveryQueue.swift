internal import Countersign
internal import Foundation
internal import Logging
internal import ServiceLifecycle

/// Something that is tried again until it succeeds or is given up.
protocol RetriedItem: Sendable {
    /// How often it was tried.
    var attempts: Int { get set }
    /// When it is to be tried next.
    var due: Date { get set }
}

extension ClientNotice: RetriedItem {}
extension Delivery: RetriedItem {}

/// A queue in the store that is worked off by calls over the network, which may fail.
///
/// Each node works on it. An item is claimed by the change that counts the attempt and sets the time of the next one, which
/// is later than this one can last: so one node at a time works on it, and a node that ends in between loses nothing.
protocol DeliveryQueue: NamedService {
    associatedtype Item: RetriedItem

    /// What the queue holds, in the log.
    static var subject: String { get }
    var store: any Store { get }
    var clock: TimeSource { get }
    var logger: Logger { get }

    /// The items that are due, the longest due first.
    func due(at now: Date, limit: Int, in repositories: any Repositories) throws -> [Item]
    /// When the attempt after the one that begins now would follow; `nil` when there is none, and the item is given up.
    func next(after item: Item, at now: Date) -> Date?
    /// Keeps the attempts of an item, and when it is due.
    func update(_ item: Item, in repositories: any Repositories) throws
    /// Ends an item whose last attempt brought no answer.
    func giveUp(_ item: Item, at now: Date, in repositories: any Repositories) throws
    /// Makes one attempt, and keeps what became of it.
    func deliver(_ item: Item) async throws
}

/// How a queue is worked off.
private enum RetrySchedule {
    /// How many items are worked on at once.
    static let batch = 16
    /// How long a queue without due items is left alone.
    static let pause: Duration = .seconds(1)
}

extension DeliveryQueue {
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await deliver()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("\(Self.subject) were not delivered", metadata: ["reason": "\(error)"])
                }
                do { try await clock.sleep(for: RetrySchedule.pause) } catch { return }
            }
        }
    }

    /// Works on each item that is due, some at a time, until there is no more.
    ///
    /// An item that fails is logged and left for its next attempt; the others go on.
    /// - Throws: What kept items from being claimed, once those that were claimed before have ended.
    func deliver() async throws {
        let problem: (any Error)? = await withTaskGroup(of: Void.self) { group in
            var working = 0
            var failure: (any Error)?
            while true {
                if failure == nil {
                    do {
                        try Task.checkCancellation()
                        for item in try await claim(atMost: RetrySchedule.batch - working) {
                            group.addTask { await attempt(item) }
                            working += 1
                        }
                    } catch {
                        failure = error
                    }
                }
                guard working > 0 else { break }
                // The next one begins as soon as any has ended: a slow receiver delays no others.
                _ = await group.next()
                working -= 1
            }
            return failure
        }
        if let problem { throw problem }
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

    /// The items that this node works on now.
    private func claim(atMost most: Int) async throws -> [Item] {
        let now = clock.now()
        // Mostly nothing is due, and then nothing is written.
        guard try await !store.read({ try due(at: now, limit: 1, in: $0) }).isEmpty else { return [] }
        return try await store.change { repositories in
            var claimed: [Item] = []
            for var item in try due(at: now, limit: most, in: repositories) {
                guard let next = next(after: item, at: now) else {
                    try giveUp(item, at: now, in: repositories)
                    continue
                }
                item.due = next
                item.attempts += 1
                try update(item, in: repositories)
                claimed.append(item)
            }
            return claimed
        }
    }
}
