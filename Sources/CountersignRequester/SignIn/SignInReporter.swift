internal import NIOConcurrencyHelpers

/// Reports the events of one run: to its iteration, and to all screens that watch.
final class SignInReporter: Sendable {
    /// An event, and the end of the wait for its consumer.
    private struct Delivery: Sendable {
        let event: SignInEvent
        let consumed: AsyncStream<Never>.Continuation?
    }

    /// The deliveries on their way.
    private struct State {
        /// The event that the consumer shows at present.
        var shown: AsyncStream<Never>.Continuation?
        /// The waits of events that were not shown yet, by number.
        var waiting: [Int: AsyncStream<Never>.Continuation] = [:]
        var waitsEver = 0
        /// Whether no more events are consumed.
        var isAbandoned = false
    }

    private let announcer: SignInAnnouncer
    private let visibility = NIOLockedValueBox(InvitationVisibility())
    private let deliveries: AsyncStream<Delivery>
    private let delivery: AsyncStream<Delivery>.Continuation
    private let state = NIOLockedValueBox(State())

    init(_ announcer: SignInAnnouncer) {
        self.announcer = announcer
        (deliveries, delivery) = AsyncStream.makeStream(of: Delivery.self)
    }

    /// Forgets the invitation, because another code takes its place.
    func beginCode() { visibility.withLockedValue { $0 = InvitationVisibility() } }

    /// Reports an event, with the change of the invitation that follows from it.
    func report(_ event: SignInEvent) { report(event, consumed: nil) }

    private func report(_ event: SignInEvent, consumed: AsyncStream<Never>.Continuation?) {
        // Inside the lock, so that all see the events in one order.
        visibility.withLockedValue { visibility in
            let events = visibility.events(for: event)
            for event in events { announcer.announce(event) }
            for event in events.dropLast() { delivery.yield(Delivery(event: event, consumed: nil)) }
            guard let last = events.last else {
                consumed?.finish()
                return
            }
            delivery.yield(Delivery(event: last, consumed: consumed))
        }
    }

    /// Reports an event, and returns once the consumer has shown it and asks for the next one, or asks no more.
    func show(_ event: SignInEvent) async {
        let (consumption, consumed) = AsyncStream.makeStream(of: Never.self)
        let number = state.withLockedValue { state -> Int? in
            guard !state.isAbandoned else { return nil }
            state.waitsEver += 1
            state.waiting[state.waitsEver] = consumed
            return state.waitsEver
        }
        guard let number else { return report(event) }
        report(event, consumed: consumed)
        for await _ in consumption {}
        state.withLockedValue { _ = $0.waiting.removeValue(forKey: number) }
    }

    /// The next event for the consumer, which has shown the one before; `nil` when there is none any more.
    func next() async -> SignInEvent? {
        state.withLockedValue(\.shown)?.finish()
        var iterator = deliveries.makeAsyncIterator()
        guard let delivery = await iterator.next() else { return nil }
        state.withLockedValue { $0.shown = delivery.consumed }
        return delivery.event
    }

    /// Ends the run: the announcement of its result is the last event for screens that watch.
    func finish(_ result: Result<CompletedSignIn, SignInError>) {
        switch result {
        case .success(let signedIn): announcer.announce(.signedIn(signedIn))
        case .failure(let error): announcer.announce(.failed(error))
        }
        announcer.finish()
        delivery.finish()
    }

    /// Ends all waits for the consumer, which asks no more.
    func abandon() {
        let waiting = state.withLockedValue { state in
            state.isAbandoned = true
            return state.waiting.values
        }
        for wait in waiting { wait.finish() }
    }
}
