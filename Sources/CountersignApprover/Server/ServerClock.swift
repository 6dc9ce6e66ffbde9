internal import Countersign
internal import FoundationEssentialsCompat

/// The server's wall clock as far as this device knows it: its own may be off by hours.
///
/// It advances by the monotonic clock, so that setting the device's time does not affect it.
struct ServerClock: Sendable, Equatable {
    /// The server's last date and the instant of its arrival; `nil` before its first answer.
    private var heard: Moment?

    /// Nothing was received yet.
    init() {}

    /// The maximum lag of a server's date behind its clock: it has whole seconds, and is updated once a second.
    private static let coarseness: TimeInterval = 2

    /// Records a server's date.
    ///
    /// Each answer gives a range: the server's clock showed the date when the answer was made, some time before it
    /// came. A time within that range is more exact than the answer, and stays.
    ///
    /// - Parameters:
    ///   - date: The server's date.
    ///   - span: The longest time since the server's answer.
    ///   - instant: The arrival of the server's answer.
    mutating func observe(_ date: Date, within span: Duration, at instant: ContinuousClock.Instant) {
        let latest = date + Self.coarseness + span / .seconds(1)
        let known = heard?.date(at: instant)
        heard = Moment(instant: instant, date: known.map { min(max($0, date), latest) } ?? date)
    }

    /// The server's date at a moment; the device's own before the server's first answer.
    func date(at moment: Moment) -> Date {
        heard?.date(at: moment.instant) ?? moment.date
    }

    /// The instant when the server's clock will show a date.
    func instant(of date: Date, from moment: Moment) -> ContinuousClock.Instant {
        moment.instant + .seconds(date.timeIntervalSince(self.date(at: moment)))
    }
}
