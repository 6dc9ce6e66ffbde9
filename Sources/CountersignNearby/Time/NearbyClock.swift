#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The time as both ends of a nearby link see it: handed in, so that tests need not wait.
public struct NearbyClock: Sendable {
    /// Reads the clock that never jumps, on which spans are counted.
    public let instant: @Sendable () -> ContinuousClock.Instant
    /// Reads the wall clock, for what is kept for days.
    public let date: @Sendable () -> Date
    /// Waits until an instant; returns early only by throwing, when its task is cancelled.
    public let sleep: @Sendable (_ until: ContinuousClock.Instant) async throws -> Void

    /// A clock made of two readings and a way to wait.
    public init(
        instant: @escaping @Sendable () -> ContinuousClock.Instant,
        date: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (_ until: ContinuousClock.Instant) async throws -> Void
    ) {
        self.instant = instant
        self.date = date
        self.sleep = sleep
    }

    /// The clocks of this machine: the one place of this target that reads them.
    public static let system = NearbyClock(
        instant: { ContinuousClock.now },
        date: { Date() },
        sleep: { try await Task.sleep(until: $0, clock: .continuous) }
    )
}
