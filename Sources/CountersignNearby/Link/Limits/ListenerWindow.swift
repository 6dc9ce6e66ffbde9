/// The time in which an approver hears screens that it does not know, because the person said so.
struct ListenerWindow: Sendable {
    /// What is known of the window.
    private enum State: Sendable {
        /// The person has not opened it.
        case closed
        /// Strangers are heard; so many codes have gone wrong.
        case open(until: ContinuousClock.Instant, misses: Int)
        /// Too many codes went wrong.
        case barred(until: ContinuousClock.Instant)
    }

    /// What is known of the window.
    private var state: State = .closed
    /// How long it is open, and how many codes may go wrong.
    private let limits: ListenerLimits

    /// A window that is closed.
    init(limits: ListenerLimits) {
        self.limits = limits
    }

    /// Opens it, or keeps it open for longer; says from when on that is possible, when it is not now.
    mutating func open(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        switch state {
        case .barred(let until) where now < until: return until
        // Opening an open window again forgives nothing.
        case .open(let until, let misses) where now < until: state = .open(until: now + limits.window, misses: misses)
        case .closed, .barred, .open: state = .open(until: now + limits.window, misses: 0)
        }
        return nil
    }

    /// Keeps it closed until an instant, or for longer if it is closed for longer already.
    mutating func bar(until instant: ContinuousClock.Instant) {
        if case .barred(let until) = state, until > instant { return }
        state = .barred(until: instant)
    }

    /// Closes it; that forgives no wrong codes.
    mutating func close() {
        if case .open = state { state = .closed }
    }

    /// Whether strangers are heard.
    func isOpen(at now: ContinuousClock.Instant) -> Bool {
        if case .open(let until, misses: _) = state { now < until } else { false }
    }

    /// A code went wrong; says whether that closes the window.
    mutating func miss(at now: ContinuousClock.Instant) -> Bool {
        guard case .open(let until, let misses) = state else { return false }
        guard misses + 1 < limits.misses else {
            state = .barred(until: now + limits.closedAfterMisses)
            return true
        }
        state = .open(until: until, misses: misses + 1)
        return false
    }
}
