/// Decides what a signal to stop means, by the signals before it.
///
///     running ──▶ draining ──▶ stopping ──▶ ended at once
///        └────without a drain────▲
///
/// A program around this one may send the same signal more than once: GNU `timeout` signals the program and then its
/// process group, and Ctrl-C at a terminal reaches both. So signals that come close together count as one.
struct StopSignals: Sendable, Equatable {
    /// The reaction to a signal, or to the end of the drain.
    enum Action: Sendable, Equatable {
        /// Tell load balancers to send requests elsewhere, and answer everything for a while.
        case drain
        /// Take no more connections, and answer running requests.
        case stop
        /// Nothing: it is on its way.
        case ignore
        /// End at once.
        case endNow
    }

    private enum State: Sendable, Equatable {
        case running
        case draining(since: ContinuousClock.Instant)
        case stopping(since: ContinuousClock.Instant)
    }

    /// The time after a signal that further ones count as repetitions of it.
    static let repeatWindow: Duration = .seconds(3)

    private let drains: Bool
    private var state: State = .running

    /// Creates the state of a server that runs.
    ///
    /// - Parameter drains: Whether it drains before it stops.
    init(draining drains: Bool) {
        self.drains = drains
    }

    /// Takes in a signal, and says what to do about it.
    ///
    /// - Parameter now: The instant of the signal, by a clock that is never set.
    mutating func receive(at now: ContinuousClock.Instant) -> Action {
        switch state {
        case .running where drains:
            state = .draining(since: now)
            return .drain
        case .running:
            state = .stopping(since: now)
            return .stop
        case .draining(let since), .stopping(let since):
            guard now - since >= Self.repeatWindow else { return .ignore }
            return endDrain(at: now) == .stop ? .stop : .endNow
        }
    }

    /// Notes that the drain has lasted long enough, and says what to do about it.
    mutating func endDrain(at now: ContinuousClock.Instant) -> Action {
        guard case .draining = state else { return .ignore }
        state = .stopping(since: now)
        return .stop
    }
}
