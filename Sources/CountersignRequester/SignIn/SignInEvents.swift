internal import Countersign
internal import NIOConcurrencyHelpers

/// The events of one sign-in, for a screen to show: what stands now, then each change, until it ends.
///
/// ```swift
/// for await event in signIn.events { screen.show(event) }
/// ```
public struct SignInEvents: AsyncSequence, Sendable {
    /// The events that a screen can show.
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

    /// Begins to read the events.
    ///
    /// - Returns: An iterator that gives what stands now, and then each change.
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
        /// The invitation, which a watcher that begins late has to see before the latest event.
        var invitation: SignInEvent?
        /// The number that is shown, if any.
        var number: SignInEvent?
        /// The last event after the invitation.
        var latest: SignInEvent?
    }

    /// More events than a screen that still reads leaves waiting.
    private static let longestQueue = 64

    private let state = NIOLockedValueBox(State())

    /// A new watcher; the first events tell it what stands now.
    func watch() -> SignInEvents {
        let (stream, watcher) = AsyncStream.makeStream(
            of: SignInEvent.self,
            bufferingPolicy: .bufferingNewest(Self.longestQueue)
        )
        let number = state.withLockedValue { state in
            state.watchersEver += 1
            state.watchers[state.watchersEver] = watcher
            for event in [state.invitation, state.number, state.latest].compactMap(\.self) { watcher.yield(event) }
            return state.watchersEver
        }
        watcher.onTermination = { [weak self] _ in
            self?.state.withLockedValue { state in _ = state.watchers.removeValue(forKey: number) }
        }
        return SignInEvents(stream)
    }

    /// Tells every watcher of `event`.
    func announce(_ event: SignInEvent) {
        state.withLockedValue { state in
            switch event {
            case .invitation:
                state.invitation = event
                (state.number, state.latest) = (nil, nil)
            case .discovering, .confirming, .signedIn, .failed:
                (state.invitation, state.number) = (nil, nil)
                state.latest = event
            case .link(let link):
                if case .invitation(let earlier) = state.invitation {
                    state.invitation = .invitation(earlier.linked(by: link))
                }
            case .verificationNumber(let number):
                state.number = number == nil ? nil : event
            case .waiting, .temporaryFailure:
                state.latest = event
            }
            for watcher in state.watchers.values { watcher.yield(event) }
        }
    }

    /// Ends the sequences of all watchers; later ones watch the next sign-in.
    func finish() {
        let watchers = state.withLockedValue { state in
            defer { state = State(watchersEver: state.watchersEver) }
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.finish() }
    }
}
