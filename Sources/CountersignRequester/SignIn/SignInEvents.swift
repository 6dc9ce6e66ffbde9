internal import NIOConcurrencyHelpers

/// The events of one sign-in, for a screen to show: the present state, then each change, until it ends.
///
/// Several screens can observe the same sign-in; each gets all events. A screen that begins late first gets the
/// invitation that is valid now, and the latest event. A screen that does not read loses the oldest of more than 64
/// events.
///
/// ```swift
/// for await event in signIn.events {
///     switch event {
///     case .invitation(let invitation): await screen.draw(invitation.verificationURI, invitation.userCode)
///     case .signedIn, .failed: await screen.clear()
///     default: break
///     }
/// }
/// ```
public struct SignInEvents: AsyncSequence, Sendable {
    public typealias Element = SignInEvent

    /// Returns the events one after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: AsyncStream<SignInEvent>.Iterator

        init(_ base: AsyncStream<SignInEvent>.Iterator) {
            self.base = base
        }

        /// Returns the next event; `nil` after the last one, or when the task is cancelled.
        public mutating func next() async -> SignInEvent? {
            await base.next()
        }
    }

    private let stream: AsyncStream<SignInEvent>

    init(_ stream: AsyncStream<SignInEvent>) {
        self.stream = stream
    }

    /// Returns an iterator over the events.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(stream.makeAsyncIterator())
    }
}

/// Delivers each event to every observer.
final class SignInAnnouncer: Sendable {
    /// The observers, and the present state.
    private struct State {
        var watchers: [Int: AsyncStream<SignInEvent>.Continuation] = [:]
        var watchersEver = 0
        /// What somebody who comes late has to see: the invitation, and the latest event.
        var invitation: SignInEvent?
        /// The last event after the invitation.
        var latest: SignInEvent?
    }

    /// The number of events that are kept for an observer that does not read them; older ones are dropped.
    private static let longestQueue = 64

    private let state = NIOLockedValueBox(State())

    /// A new observer, which first gets the present state.
    func watch() -> SignInEvents {
        let (stream, watcher) = AsyncStream.makeStream(
            of: SignInEvent.self,
            bufferingPolicy: .bufferingNewest(Self.longestQueue)
        )
        let number = state.withLockedValue { state in
            state.watchersEver += 1
            state.watchers[state.watchersEver] = watcher
            for event in [state.invitation, state.latest].compactMap(\.self) { watcher.yield(event) }
            return state.watchersEver
        }
        watcher.onTermination = { [weak self] _ in
            self?.state.withLockedValue { state in _ = state.watchers.removeValue(forKey: number) }
        }
        return SignInEvents(stream)
    }

    /// Delivers `event` to all observers.
    func announce(_ event: SignInEvent) {
        state.withLockedValue { state in
            switch event {
            case .invitation:
                state.invitation = event
                state.latest = nil
            case .discovering, .confirming, .signedIn, .failed:
                state.invitation = nil
                state.latest = event
            case .waiting, .trouble:
                state.latest = event
            }
            for watcher in state.watchers.values { watcher.yield(event) }
        }
    }

    /// Ends all observations; later observers watch the next run.
    func finish() {
        let watchers = state.withLockedValue { state in
            defer { state = State(watchersEver: state.watchersEver) }
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.finish() }
    }
}
