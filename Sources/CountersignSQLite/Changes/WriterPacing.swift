/// Decides when the writer pauses, so that other processes can write too.
///
/// SQLite has no queue of writers: whichever asks while the lock is free gets it. A busy writer leaves the lock free
/// only for microseconds, and others would starve. So after ``longestTurn`` without a pause the writer releases the
/// lock for ``rest``, which is longer than the time between two attempts of a waiting process (``retryDelay``).
struct WriterPacing: Sendable {
    /// The longest time that the writer may block others.
    static let longestTurn: Duration = .milliseconds(250)
    /// The pause of the writer after that time.
    static let rest: Duration = .milliseconds(4)
    /// The pause of a process that finds the database locked before it tries again.
    static let retryDelay: Duration = .milliseconds(1)
    /// The number of attempts before it gives up: for five seconds.
    static let attempts = 5_000

    private var turnBegan: ContinuousClock.Instant?
    private var lastCommit: ContinuousClock.Instant?

    /// Whether the writer must rest before the batch that it is about to begin.
    mutating func mustRest(at now: ContinuousClock.Instant) -> Bool {
        guard let began = turnBegan, let last = lastCommit, last.duration(to: now) < Self.rest else {
            turnBegan = now
            return false
        }
        guard began.duration(to: now) >= Self.longestTurn else { return false }
        turnBegan = nil
        return true
    }

    /// Records that the lock was released.
    mutating func committed(at now: ContinuousClock.Instant) {
        lastCommit = now
    }
}
