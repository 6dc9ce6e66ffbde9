#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

// Comparisons of stored instants with a clock that may have been set back since. A machine whose hardware clock is in
// local time is hours ahead until it is corrected; what it stored until then lies in the future.
extension Date {
    /// By how much the clocks of two nodes may differ, in seconds.
    package static let clockTolerance: TimeInterval = 30

    /// The instant, or `now` where it lies ahead of it.
    ///
    /// It is for what has happened: when it was, the clock was ahead.
    package func notAhead(of now: Date) -> Date { min(self, now) }

    /// Whether a limit, a lease, a lock or a wait that ends at this instant still lasts at `now`.
    ///
    /// One that would last longer than its kind ever does began before the clock was set back, and is over.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - longest: The maximum duration of one of its kind, in seconds.
    package func lasts(at now: Date, atMost longest: TimeInterval) -> Bool {
        self > now && self <= now + longest
    }
}
