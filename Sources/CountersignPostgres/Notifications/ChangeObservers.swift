#if PostgreSQL
internal import CountersignServer
internal import NIOConcurrencyHelpers

/// The observers of a store.
///
/// The writer and the listener to other nodes take turns, so all observers are notified in one order.
final class ChangeObservers: Sendable {
    private struct State {
        var observers: [@Sendable ([StoreChange]) -> Void] = []
        var isListening = false

        func notify(_ changes: [StoreChange]) {
            for observer in observers { observer(changes) }
        }
    }

    private let state = NIOLockedValueBox(State())

    /// Adds an observer, and notifies it at once if nothing is heard from other nodes.
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

    /// Notifies every observer that other nodes are heard from now on. What they sent before is not known.
    func listeningBegan() {
        state.withLockedValue { state in
            state.isListening = true
            state.notify([.anything])
        }
    }

    /// Notifies every observer that other nodes are not heard any more.
    ///
    /// - Returns: whether they were heard before.
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
