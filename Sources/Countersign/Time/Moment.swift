public import FoundationEssentialsCompat

/// One reading of both clocks of a machine: the running clock and the wall clock.
///
/// A device's wall clock may jump while a person signs in, by years when a radio without a battery learns the time.
/// So spans are counted on the running clock, and dates are for people and for other machines.
public struct Moment: Sendable, Equatable {
    /// The reading of the clock that never jumps.
    public let instant: ContinuousClock.Instant
    /// The reading of the wall clock.
    public let date: Date

    /// A reading of both clocks.
    public init(instant: ContinuousClock.Instant, date: Date) {
        self.instant = instant
        self.date = date
    }

    /// The date that the wall clock will show at `instant`, unless the clock is set in between.
    package func date(at instant: ContinuousClock.Instant) -> Date {
        date.addingTimeInterval((instant - self.instant) / .seconds(1))
    }
}
