internal import FoundationEssentialsCompat

/// An instant on a page, for people and for machines.
///
/// Without scripts the time zone is unknown, so recent times are shown as "minutes ago", all others in UTC.
struct TimeDisplay: Sendable, Equatable {
    /// The time in words: "3 minutes ago, 14:03 UTC".
    let text: LocalizedText
    /// The time of day: "14:03 UTC".
    let clock: String
    /// The time of day with its seconds: "14:03:09 UTC".
    let second: String
    /// The instant in the form of RFC 3339.
    let machine: String

    /// Creates the text of an instant at `now`.
    init(_ instant: Date, at now: Date) {
        machine = instant.formatted(.iso8601)
        let parts = machine.split(whereSeparator: { "-T:Z".contains($0) }).map(String.init)
        clock = parts.count < 6 ? machine : "\(parts[3]):\(parts[4]) UTC"
        second = parts.count < 6 ? machine : "\(parts[3]):\(parts[4]):\(parts[5].prefix(2)) UTC"

        let seconds = Int(now.timeIntervalSince(instant).rounded(.down))
        switch seconds {
        case 0..<60: text = .text(.timeJustNow, ["clock": .verbatim(clock)])
        case 60..<3600: text = Self.ago(.counted(seconds / 60, .minutes), clock)
        case 3600..<86_400: text = Self.ago(.counted(seconds / 3600, .hours), clock)
        default: text = parts.count < 6 ? .verbatim(machine) : Self.date(parts, clock)
        }
    }

    private static func ago(_ span: LocalizedText, _ clock: String) -> LocalizedText {
        .text(.timeAgo, ["span": span, "clock": .verbatim(clock)])
    }

    /// The day in words, from the parts of an instant; the first three are the year, the month and the day.
    private static func date(_ parts: [String], _ clock: String) -> LocalizedText {
        let months: [TextKey] = [
            .timeMonth01, .timeMonth02, .timeMonth03, .timeMonth04, .timeMonth05, .timeMonth06,
            .timeMonth07, .timeMonth08, .timeMonth09, .timeMonth10, .timeMonth11, .timeMonth12,
        ]
        let number = Int(parts[1]) ?? 0
        let month = months.indices.contains(number - 1) ? LocalizedText.text(months[number - 1]) : .verbatim(parts[1])
        return .text(
            .timeDate,
            [
                "day": .verbatim("\(Int(parts[2]) ?? 0)"), "month": month, "year": .verbatim(parts[0]),
                "clock": .verbatim(clock),
            ]
        )
    }

    /// A span in words, rounded down: "4 minutes", "48 seconds". The last ten seconds before a whole minute count as that
    /// minute, so that a code of two minutes is shown as such although the page takes a moment.
    static func span(_ seconds: TimeInterval) -> LocalizedText {
        let seconds = max(0, Int(seconds.rounded(.down)))
        return seconds < 110 ? .counted(seconds, .seconds) : .counted((seconds + 10) / 60, .minutes)
    }
}
