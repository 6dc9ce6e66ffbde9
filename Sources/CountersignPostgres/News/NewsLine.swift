#if PostgreSQL
internal import CountersignServer
internal import Dispatch
internal import Foundation
internal import NIOConcurrencyHelpers

/// Hears on a connection of its own what other nodes changed, and tells the followers.
///
/// When the connection is lost they are told at once, and told again when it is back: what was sent in between is not
/// known. A line that says nothing is asked once a second whether it still lives.
final class NewsLine: Sendable {
    /// How long the line may be silent before it is asked, and how often it may leave that unanswered.
    private static let period: Int32 = 1_000
    private static let patience = 3

    private struct State {
        var hasBegun = false
        var isClosed = false
        var hasEnded = false
        var whenEnded: [CheckedContinuation<Void, Never>] = []
    }

    private let address: DatabaseAddress
    private let node: String
    private let followers: Followers
    private let state = NIOLockedValueBox(State())
    private let alarm: Alarm

    init(address: DatabaseAddress, node: String, telling followers: Followers) {
        self.address = address
        self.node = node
        self.followers = followers
        alarm = Alarm()
    }

    /// Listens from now on. The first call returns when the first attempt to do so has ended.
    func begin() {
        let isFirst = state.withLockedValue { state in
            guard !state.hasBegun, !state.isClosed else { return false }
            state.hasBegun = true
            return true
        }
        guard isFirst else { return }
        let hasTried = DispatchSemaphore(value: 0)
        let thread = Thread { self.listenUntilClosed { hasTried.signal() } }
        thread.name = "pg-news"
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
            alarm.ring()
            if hasEnded { caller.resume() }
        }
    }

    // MARK: On the line's thread

    private func listenUntilClosed(_ hasTried: () -> Void) {
        let link = Link(to: address, as: .listener)
        var hasToldFirst = false
        func triedOnce() {
            if !hasToldFirst { hasTried() }
            hasToldFirst = true
        }
        while !state.withLockedValue(\.isClosed) {
            do throws(DatabaseTrouble) {
                let connection = try link.connected()
                try NewsChannel.listen(on: connection)
                link.succeeded()
                followers.lineIsUp()
                triedOnce()
                try listen(on: connection)
            } catch {
                link.drop()
                let wasUp = followers.lineIsDown()
                triedOnce()
                if !wasUp { link.rest() }
            }
        }
        let released = state.withLockedValue { state in
            state.hasEnded = true
            return state.whenEnded
        }
        for caller in released { caller.resume() }
    }

    /// Tells what is heard, until the store is closed.
    private func listen(on connection: Connection) throws(DatabaseTrouble) {
        var unanswered = 0
        while true {
            switch alarm.wait(orInput: connection.descriptor, for: Self.period) {
            case .alarm: return
            case .input:
                for text in try connection.receivedNotifications() { tell(text) }
                unanswered = 0
            case .nothing:
                guard unanswered < Self.patience else { throw .lost("the line has been silent for too long") }
                if unanswered == 0 { try connection.askForSignOfLife() }
                unanswered += 1
            }
        }
    }

    private func tell(_ text: String) {
        let message = NewsMessage(parsing: text)
        if message.node != node { followers.tell(message.news) }
    }
}
#endif
