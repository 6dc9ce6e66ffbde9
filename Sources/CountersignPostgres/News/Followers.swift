#if PostgreSQL
internal import CountersignServer
internal import NIOConcurrencyHelpers

/// Those who want to hear what changes.
///
/// The writer and the line from other nodes take turns to tell, so all hear everything in one order.
final class Followers: Sendable {
    private struct State {
        var all: [@Sendable ([StoreNews]) -> Void] = []
        var isLineUp = false

        func tell(_ news: [StoreNews]) {
            for hear in all { hear(news) }
        }
    }

    private let state = NIOLockedValueBox(State())

    /// Tells one more from now on; at once that the line from other nodes is down, if it is.
    func add(_ hear: @escaping @Sendable ([StoreNews]) -> Void) {
        state.withLockedValue { state in
            state.all.append(hear)
            if !state.isLineUp { hear([.lineLost]) }
        }
    }

    func tell(_ news: [StoreNews]) {
        guard !news.isEmpty else { return }
        state.withLockedValue { $0.tell(news) }
    }

    /// Tells that the line is up: what was sent before is not known.
    func lineIsUp() {
        state.withLockedValue { state in
            state.isLineUp = true
            state.tell([.anything])
        }
    }

    /// Tells that the line is down; returns whether it was up.
    func lineIsDown() -> Bool {
        state.withLockedValue { state in
            guard state.isLineUp else { return false }
            state.isLineUp = false
            state.tell([.lineLost])
            return true
        }
    }
}
#endif
