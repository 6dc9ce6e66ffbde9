internal import CoreMetrics
internal import Countersign
internal import NIOConcurrencyHelpers

/// The devices that wait for requests to their person, at this node.
final class InboxWaiters: Sendable {
    /// One device and its person.
    struct Place: Sendable, Hashable {
        let subject: Subject
        let signIn: Grant.ID
    }

    private struct Waits {
        var waiting: [Subject: [Grant.ID: PollWaiter]] = [:]
        var count = 0
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
    var count: Int { waits.withLockedValue { $0.count } }

    /// Begins to wait for a device, which ends an earlier wait of the same one; `nil` when too many devices wait, or the
    /// server stops.
    func begin(_ place: Place, presence: ClientPresence? = nil) -> PollWaiter? {
        let (waiting, earlier) = waits.withLockedValue { waits -> (PollWaiter?, PollWaiter?) in
            let earlier = waits.waiting[place.subject]?[place.signIn]
            guard !waits.isClosed, earlier != nil || waits.count < capacity else { return (nil, nil) }
            let waiting = PollWaiter(presence: presence)
            waits.waiting[place.subject, default: [:]][place.signIn] = waiting
            if earlier == nil { waits.count += 1 }
            return (waiting, earlier)
        }
        if waiting != nil, earlier == nil { meter?.increment() }
        earlier?.finish(.superseded)
        return waiting
    }

    /// Ends one wait.
    func end(_ waiting: PollWaiter, at place: Place) {
        waiting.presence?.disregard()
        let isLast = waits.withLockedValue { waits in
            guard waits.waiting[place.subject]?[place.signIn] === waiting else { return false }
            waits.waiting[place.subject]?[place.signIn] = nil
            if waits.waiting[place.subject]?.isEmpty == true { waits.waiting[place.subject] = nil }
            waits.count -= 1
            return true
        }
        if isLast { meter?.decrement() }
    }

    /// Ends the waits of the people whose requests changed, at this node or another.
    func storeChanged(_ changes: [StoreChange]) {
        for change in changes {
            switch change {
            case .inbox(let subject):
                let waiting = waits.withLockedValue { waits in
                    waits.waiting[subject].map { Array($0.values) } ?? []
                }
                for one in waiting { one.finish(.changed) }
            case .anything, .notificationsLost: for waiting in all() { waiting.finish(.changed) }
            default: break
            }
        }
    }

    private func all() -> [PollWaiter] {
        waits.withLockedValue { waits in waits.waiting.values.flatMap { Array($0.values) } }
    }

    /// Ends every wait and begins no other, because the server stops.
    func close() {
        waits.withLockedValue { $0.isClosed = true }
        for waiting in all() { waiting.finish(.timeOver) }
    }
}
