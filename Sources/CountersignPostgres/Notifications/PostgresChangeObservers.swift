#if PostgreSQL
internal import CountersignStorage
internal import NIOConcurrencyHelpers

/// The observers of a store.
///
/// The writer and the listener notify under one lock, so all observers are notified in the same order.
final class PostgresChangeObservers: Sendable {
    private struct State {
        var observers: [@Sendable ([StoreChange]) -> Void] = []
        var isListening = false
        var heedsOwnNotifications = false

        func notify(_ changes: [StoreChange]) {
            for observer in observers { observer(changes) }
        }
    }

    private let state = NIOLockedValueBox(State())

    /// Adds an observer, and notifies it at once if notifications of other nodes are not received.
    func add(_ observer: @escaping @Sendable ([StoreChange]) -> Void) {
        state.withLockedValue { state in
            state.observers.append(observer)
            if !state.isListening { observer([.notificationsLost]) }
        }
    }

    func notify(_ changes: [StoreChange]) {
        guard !changes.isEmpty else { return }
        state.withLockedValue { $0.notify(changes) }
    }

    /// Notifies every observer of changes of a transaction with unknown outcome.
    ///
    /// From now on this node processes its own notifications too, since only they reveal a later commit.
    func notify(ofUnknownOutcome changes: [StoreChange]) {
        state.withLockedValue { state in
            state.heedsOwnNotifications = true
            state.notify(changes)
        }
    }

    /// Notifies every observer of changes after their notification was received.
    func notify(_ changes: [StoreChange], receivedFromThisNode isOwn: Bool) {
        state.withLockedValue { state in
            if !isOwn || state.heedsOwnNotifications { state.notify(changes) }
        }
    }

    /// Notifies every observer that notifications of other nodes are received from now on. Earlier ones may be missing.
    func listeningBegan() {
        state.withLockedValue { state in
            state.isListening = true
            state.notify([.anything])
        }
    }

    /// Notifies every observer that notifications of other nodes are no longer received.
    ///
    /// - Returns: whether they were received before.
    func listeningEnded() -> Bool {
        state.withLockedValue { state in
            guard state.isListening else { return false }
            state.isListening = false
            state.notify([.notificationsLost])
            return true
        }
    }
}
#endif
