/// The window for accepting screens that are not paired ("strangers"), which the person of an approver opens.
///
/// Its numbers are no knobs, since the odds of guessing a code follow from them: `Documentation/Threats.md`.
struct AcceptanceWindow: Sendable {
    /// The state of the window.
    private enum State: Sendable {
        /// The person has not opened it.
        case closed
        /// Strangers are accepted; so many codes were wrong so far.
        case open(until: ContinuousClock.Instant, misses: Int)
        /// Too many codes were wrong.
        case barred(until: ContinuousClock.Instant)
    }

    /// The lifetime of an open window.
    private static let lifetime = Duration.seconds(600)
    /// The number of wrong codes that closes it.
    private static let mostMisses = 3
    /// The time that it stays closed after that.
    static let closedAfterMisses = Duration.seconds(300)

    private var state: State = .closed

    /// Opens it, or extends it; returns from when on that is possible, if it is not now.
    mutating func open(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        switch state {
        case .barred(let until) where now < until: return until
        // Extending an open window does not reset the misses.
        case .open(let until, let misses) where now < until: state = .open(until: now + Self.lifetime, misses: misses)
        case .closed, .barred, .open: state = .open(until: now + Self.lifetime, misses: 0)
        }
        return nil
    }

    /// Keeps it closed until an instant, or for longer if it is closed for longer already.
    mutating func bar(until instant: ContinuousClock.Instant) {
        if case .barred(let until) = state, until > instant { return }
        state = .barred(until: instant)
    }

    /// Closes it. When the person opens it again, the count of wrong codes starts at zero.
    mutating func close() {
        if case .open = state { state = .closed }
    }

    /// Whether strangers are accepted.
    func isOpen(at now: ContinuousClock.Instant) -> Bool {
        if case .open(let until, misses: _) = state { now < until } else { false }
    }

    /// Counts a wrong code; returns whether that closes the window.
    mutating func miss(at now: ContinuousClock.Instant) -> Bool {
        guard case .open(let until, let misses) = state else { return false }
        guard misses + 1 < Self.mostMisses else {
            state = .barred(until: now + Self.closedAfterMisses)
            return true
        }
        state = .open(until: until, misses: misses + 1)
        return false
    }
}
