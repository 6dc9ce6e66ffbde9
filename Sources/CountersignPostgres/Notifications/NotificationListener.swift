#if PostgreSQL
internal import CountersignStorage
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers

/// Listens on a separate connection to the notifications of other nodes, and passes them on to the observers.
///
/// Observers are notified when the connection is lost, and again when it is back: notifications in between are missed.
/// A silent connection is probed once a second.
final class NotificationListener: Sendable {
    /// The longest silence of the connection before it is probed.
    private static let probeIntervalInMilliseconds: Int32 = 1_000
    /// The number of unanswered intervals that make the connection count as lost.
    private static let unansweredLimit = 3

    private struct State {
        var hasBegun = false
        var isClosed = false
        var hasEnded = false
        var whenEnded: [CheckedContinuation<Void, Never>] = []
    }

    private let address: DatabaseAddress
    private let node: String
    private let observers: PostgresChangeObservers
    private let state = NIOLockedValueBox(State())
    private let wakeup: WakeupPipe

    init(address: DatabaseAddress, node: String, notifying observers: PostgresChangeObservers) {
        self.address = address
        self.node = node
        self.observers = observers
        wakeup = WakeupPipe()
    }

    /// Begins to listen. The first call returns when the first attempt has succeeded or failed.
    func begin() {
        let isFirst = state.withLockedValue { state in
            guard !state.hasBegun, !state.isClosed else { return false }
            state.hasBegun = true
            return true
        }
        guard isFirst else { return }
        let hasTried = DispatchSemaphore(value: 0)
        let thread = Thread { self.listenUntilClosed { hasTried.signal() } }
        thread.name = "pg-listener"
        thread.start()
        hasTried.wait()
    }

    func close() async {
        await withCheckedContinuation { caller in
            let hasEnded = state.withLockedValue { state in
                state.isClosed = true
                let hasEnded = state.hasEnded || !state.hasBegun
                if !hasEnded { state.whenEnded.append(caller) }
                return hasEnded
            }
            wakeup.signal()
            if hasEnded { caller.resume() }
        }
    }

    // MARK: On the listener's thread

    private func listenUntilClosed(_ hasTried: () -> Void) {
        let connections = ReconnectingConnection(to: address, as: .listener)
        var hasReturned = false
        func triedOnce() {
            if !hasReturned { hasTried() }
            hasReturned = true
        }
        while !state.withLockedValue(\.isClosed) {
            do throws(PostgresError) {
                let connection = try connections.connected()
                try NotificationChannel.listen(on: connection)
                connections.succeeded()
                observers.listeningBegan()
                triedOnce()
                try listen(on: connection)
            } catch {
                connections.close()
                let wasUp = observers.listeningEnded()
                triedOnce()
                if !wasUp { connections.backOff() }
            }
        }
        let released = state.withLockedValue { state in
            state.hasEnded = true
            return state.whenEnded
        }
        for caller in released { caller.resume() }
    }

    /// Passes notifications on, until the store is closed.
    private func listen(on connection: PostgresConnection) throws(PostgresError) {
        var unanswered = 0
        while true {
            switch wakeup.wait(orInput: connection.descriptor, for: Self.probeIntervalInMilliseconds) {
            case .wakeup: return
            case .input:
                for text in try connection.receivedNotifications() { notify(text) }
                unanswered = 0
            case .timeout:
                guard unanswered < Self.unansweredLimit else {
                    throw .lost("the connection has been silent for too long")
                }
                if unanswered == 0 { try connection.sendProbe() }
                unanswered += 1
            }
        }
    }

    private func notify(_ text: String) {
        let payload = NotificationPayload(parsing: text)
        observers.notify(payload.changes, receivedFromThisNode: payload.node == node)
    }
}
#endif
