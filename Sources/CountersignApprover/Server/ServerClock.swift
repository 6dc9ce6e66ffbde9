internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The server's wall clock as far as this device knows it: its own may be off by hours.
///
/// It advances by the monotonic clock, so that setting the device's time does not affect it.
struct ServerClock: Sendable, Equatable {
    /// What the server said, and when; `nil` before its first answer.
    private var heard: Moment?

    /// Nothing was heard yet.
    init() {}

    /// Takes in what a server said about the time.
    ///
    /// - Parameters:
    ///   - date: The server's date.
    ///   - instant: When its answer came.
    mutating func observe(_ date: Date, at instant: ContinuousClock.Instant) {
        heard = Moment(instant: instant, date: date)
    }

    /// The server's date at a moment; the device's own before the server has said anything.
    func date(at moment: Moment) -> Date {
        heard?.date(at: moment.instant) ?? moment.date
    }

    /// The instant at which the server's clock will show a date.
    func instant(of date: Date, from moment: Moment) -> ContinuousClock.Instant {
        moment.instant + .seconds(date.timeIntervalSince(self.date(at: moment)))
    }
}
