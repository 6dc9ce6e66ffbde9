package import Countersign

/// Checks for overdue changes while there are changes at all.
package enum OverdueTimer {
    /// Begins a task that calls `check` now, and again at each instant that it returns, until it returns `nil`.
    package static func run(
        by clock: TimeSource,
        _ check: @escaping @Sendable () -> ContinuousClock.Instant?
    ) -> Task<Void, Never> {
        // Detached, since it outlives the caller whose change begins it.
        Task.detached {
            while let next = check() {
                guard (try? await clock.sleep(until: next)) != nil else { return }
            }
        }
    }
}
