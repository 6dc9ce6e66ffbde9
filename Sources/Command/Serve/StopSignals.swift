/// Decides what a signal to stop means, by the signals before it.
///
/// A program around this one may send the same signal more than once: GNU `timeout` signals the program and then its
/// process group, and Ctrl-C at a terminal reaches both. So signals that come close together count as one.
struct StopSignals: Sendable, Equatable {
    /// The reaction to a signal.
    enum Action: Sendable, Equatable {
        /// Take no more connections, and answer running requests.
        case stop
        /// Nothing: the server is stopping.
        case ignore
        /// End at once.
        case endNow
    }

    /// The time after the first signal that further ones count as repetitions of it.
    static let repeatWindow: Duration = .seconds(3)

    private var first: ContinuousClock.Instant?

    /// Takes in a signal, and says what to do about it.
    ///
    /// - Parameter now: The instant of the signal, by a clock that is never set.
    mutating func receive(at now: ContinuousClock.Instant) -> Action {
        guard let first else {
            first = now
            return .stop
        }
        return now - first < Self.repeatWindow ? .ignore : .endNow
    }
}
