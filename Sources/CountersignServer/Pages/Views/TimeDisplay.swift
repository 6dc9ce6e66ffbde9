internal import FoundationEssentialsCompat

/// An instant on a page, for people and for machines.
///
/// It is shown in the time zone that the person chose, otherwise in UTC, which the script of the page replaces by the zone
/// of the browser. Recent times are also shown as "minutes ago".
struct TimeDisplay: Sendable, Equatable {
    /// The time in words: "3 minutes ago, 14:03 UTC".
    let text: LocalizedText
    /// The time of day: "14:03 UTC".
    let clock: LocalizedText
    /// The time of day with its seconds: "14:03:09 UTC".
    let second: LocalizedText
    /// The instant in the form of RFC 3339.
    let machine: String

    /// Creates the text of an instant at `now`.
    init(_ instant: Date, at now: Date) {
        machine = instant.formatted(.iso8601)
        clock = .instant(instant, .clock)
        second = .instant(instant, .second)
        let seconds = Int(now.timeIntervalSince(instant).rounded(.down))
        switch seconds {
        case 0..<60: text = .text(.timeJustNow, ["clock": clock])
        case 60..<3600: text = Self.ago(.counted(seconds / 60, .minutes), clock)
        case 3600..<86_400: text = Self.ago(.counted(seconds / 3600, .hours), clock)
        default: text = .instant(instant, .date)
        }
    }

    private static func ago(_ span: LocalizedText, _ clock: LocalizedText) -> LocalizedText {
        .text(.timeAgo, ["span": span, "clock": clock])
    }

    /// A span in words, rounded down: "4 minutes", "48 seconds". The last ten seconds before a whole minute count as that
    /// minute, so that a code of two minutes is shown as such although the page takes a moment.
    static func span(_ seconds: TimeInterval) -> LocalizedText {
        let seconds = max(0, Int(seconds.rounded(.down)))
        return seconds < 110 ? .counted(seconds, .seconds) : .counted((seconds + 10) / 60, .minutes)
    }
}
