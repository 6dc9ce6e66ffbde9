#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An instant as a page shows it: for people, and for machines.
///
/// A page without scripts doesn't know the reader's time zone, so recent times are shown as "minutes ago", all others
/// in UTC.
struct ShownTime: Sendable, Equatable {
    /// How a person would say it: "3 minutes ago, 14:03 UTC".
    let text: String
    /// The time of day: "14:03 UTC".
    let clock: String
    /// The instant in the form of RFC 3339.
    let machine: String

    /// An instant as it is shown at `now`.
    init(_ instant: Date, at now: Date) {
        machine = instant.formatted(.iso8601)
        let parts = machine.split(whereSeparator: { "-T:Z".contains($0) }).map(String.init)
        let day = parts.count < 6 ? machine : "\(Int(parts[2]) ?? 0) \(Self.month(parts[1])) \(parts[0])"
        clock = parts.count < 6 ? machine : "\(parts[3]):\(parts[4]) UTC"

        let seconds = Int(now.timeIntervalSince(instant).rounded(.down))
        switch seconds {
        case 0..<60: text = "just now, \(clock)"
        case 60..<3600: text = "\(Self.count(seconds / 60, "minute")) ago, \(clock)"
        case 3600..<86_400: text = "\(Self.count(seconds / 3600, "hour")) ago, \(clock)"
        default: text = "\(day), \(clock)"
        }
    }

    /// A span in words, rounded down: "4 minutes", "48 seconds".
    static func span(_ seconds: TimeInterval) -> String {
        let seconds = max(0, Int(seconds.rounded(.down)))
        return seconds < 120 ? count(seconds, "second") : count(seconds / 60, "minute")
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private static func month(_ number: String) -> String {
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        guard let number = Int(number), names.indices.contains(number - 1) else { return number }
        return names[number - 1]
    }
}
