#if PostgreSQL
/// How long callers wait for a database that is away.
struct Patience: Sendable {
    /// From the question on; then the caller is told to come again later.
    var ofCallers: Duration = .seconds(5)
    /// To find out what became of a commit, from the moment when the connection was lost. Longer than the server keeps
    /// the lock for one who went away.
    var forOutcome: Duration = .seconds(10)

    static let firstPause: Duration = .milliseconds(20)
    static let longestPause: Duration = .milliseconds(500)
}

/// A time in which the database cannot be reached, as those who try see it.
struct Outage: Sendable {
    private var began: ContinuousClock.Instant?
    private var lastFailure: ContinuousClock.Instant?

    /// Notes that an attempt failed; returns whether they have failed for so long that nobody need wait any more.
    mutating func failed(at now: ContinuousClock.Instant, patience: Patience) -> Bool {
        // Nobody tried for a while, so it is not known whether this is still the same one.
        if let lastFailure, lastFailure.duration(to: now) > patience.ofCallers { began = nil }
        let began = began ?? now
        self.began = began
        lastFailure = now
        return began.duration(to: now) >= patience.ofCallers
    }

    /// Notes that an attempt succeeded.
    mutating func ended() {
        began = nil
    }
}
#endif
