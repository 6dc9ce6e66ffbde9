internal import FoundationEssentialsCompat

/// The form of an instant in a text.
enum InstantForm: Sendable, Equatable {
    /// The time of day: "14:03 UTC".
    case clock
    /// The time of day with its seconds: "14:03:09 UTC".
    case second
    /// The day and the time of day: "14 January 2027, 14:03 UTC".
    case date
}

extension TextTable {
    /// The words of an instant, in the time zone of the reader; in UTC, which is named, where that is unknown.
    func words(of instant: Date, as form: InstantForm) -> String {
        let offset = zone?.secondsFromGMT(for: instant) ?? 0
        let text = instant.addingTimeInterval(Double(offset)).formatted(.iso8601)
        let parts = text.split(whereSeparator: { "-T:Z".contains($0) }).map(String.init)
        guard parts.count >= 6 else { return instant.formatted(.iso8601) }
        let suffix = zone == nil ? " UTC" : ""
        switch form {
        case .clock: return "\(parts[3]):\(parts[4])\(suffix)"
        case .second: return "\(parts[3]):\(parts[4]):\(parts[5].prefix(2))\(suffix)"
        case .date:
            return Self.fill(self[TextKey.timeDate.rawValue]) { name in
                switch name {
                case "day": "\(Int(parts[2]) ?? 0)"
                case "month": month(parts[1])
                case "year": parts[0]
                default: "\(parts[3]):\(parts[4])\(suffix)"
                }
            }
        }
    }

    private static let months: [TextKey] = [
        .timeMonth01, .timeMonth02, .timeMonth03, .timeMonth04, .timeMonth05, .timeMonth06,
        .timeMonth07, .timeMonth08, .timeMonth09, .timeMonth10, .timeMonth11, .timeMonth12,
    ]

    private func month(_ number: String) -> String {
        let index = (Int(number) ?? 0) - 1
        return Self.months.indices.contains(index) ? self[Self.months[index].rawValue] : number
    }
}
