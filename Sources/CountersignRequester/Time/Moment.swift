#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One reading of both clocks: the one that only runs, and the one that says what time it is.
///
/// A device's wall clock may jump while a person signs in, by years when a radio without a battery learns the time.
/// So spans are counted on the running clock, and dates are for people and for other machines.
public struct Moment: Sendable, Equatable {
    /// By the clock that never jumps.
    public let instant: ContinuousClock.Instant
    /// By the wall clock.
    public let date: Date

    /// A reading of both clocks.
    public init(instant: ContinuousClock.Instant, date: Date) {
        self.instant = instant
        self.date = date
    }

    /// The wall clock's date at `instant`, as far as is known now.
    func date(at instant: ContinuousClock.Instant) -> Date {
        date.addingTimeInterval((instant - self.instant) / .seconds(1))
    }
}
