internal import Countersign
internal import NIOConcurrencyHelpers

/// The servers and browsers of customers that wait for a decision; several may watch one request.
///
/// ``PollWaiters`` holds token requests, of which a later one ends an earlier one.
final class RequestWatchers: Sendable {
    private struct Watches {
        var waiting: [SignInRequest.ID: [PollWaiter]] = [:]
        var count = 0
        var isClosed = false
    }

    /// How many may watch one request; a further one ends the wait of the first.
    static let mostOfOne = 8

    private let watches = NIOLockedValueBox(Watches())
    private let capacity: Int

    /// Lets at most `capacity` wait at once.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many wait right now.
    var count: Int { watches.withLockedValue { $0.count } }

    /// Begins to wait for a change of a request; `nil` when too many wait, or the server stops.
    func begin(_ id: SignInRequest.ID, presence: ClientPresence? = nil) -> PollWaiter? {
        let waiting = PollWaiter(id: id, presence: presence)
        let (isWaiting, earlier) = watches.withLockedValue { watches -> (Bool, PollWaiter?) in
            guard !watches.isClosed, watches.count < capacity else { return (false, nil) }
            var all = watches.waiting[id] ?? []
            let earlier = all.count < Self.mostOfOne ? nil : all.removeFirst()
            all.append(waiting)
            watches.waiting[id] = all
            if earlier == nil { watches.count += 1 }
            return (true, earlier)
        }
        earlier?.finish(.superseded)
        return isWaiting ? waiting : nil
    }

    /// Ends one wait.
    func end(_ waiting: PollWaiter) {
        waiting.presence?.disregard()
        watches.withLockedValue { watches in
            guard let id = waiting.id, var all = watches.waiting[id],
                let place = all.firstIndex(where: { $0 === waiting })
            else { return }
            all.remove(at: place)
            watches.waiting[id] = all.isEmpty ? nil : all
            watches.count -= 1
        }
    }

    /// Ends the waits for requests that changed, at this node or another.
    func storeChanged(_ changes: [StoreChange]) {
        for change in changes {
            switch change {
            case .exchange(let id, deviceCode: _):
                for waiting in watches.withLockedValue({ $0.waiting[id] ?? [] }) { waiting.finish(.changed) }
            case .anything, .notificationsLost:
                for waiting in all() { waiting.finish(.changed) }
            default: break
            }
        }
    }

    private func all() -> [PollWaiter] { watches.withLockedValue { $0.waiting.values.flatMap(\.self) } }

    /// Ends every wait and begins no other, because the server stops.
    func close() {
        let all = watches.withLockedValue { watches in
            watches.isClosed = true
            return watches.waiting.values.flatMap(\.self)
        }
        for waiting in all { waiting.finish(.timeOver) }
    }
}
