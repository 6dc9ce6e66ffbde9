package import FoundationEssentialsCompat

// Comparisons of stored instants with a clock that may have been set back since. A machine whose hardware clock is in
// local time is hours ahead until it is corrected; what it stored until then lies in the future.
extension Date {
    /// The maximum clock difference between two nodes, in seconds.
    package static let clockTolerance: TimeInterval = 30

    /// The instant, or `now` if it is in the future.
    ///
    /// It is for what has happened: when it was, the clock was ahead.
    package func notAhead(of now: Date) -> Date { min(self, now) }

    /// Whether a limit, a lease, a lock or a wait that ends at this instant still lasts at `now`.
    ///
    /// One that would exceed the maximum of its kind began before the clock was set back, and has ended.
    package func lasts(at now: Date, atMost longest: TimeInterval) -> Bool { self > now && self <= now + longest }
}
