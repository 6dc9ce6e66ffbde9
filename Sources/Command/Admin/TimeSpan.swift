internal import Foundation

/// A span of time as people type it: `90s`, `15m`, `24h`, `7d`.
struct TimeSpan: Sendable, Equatable {
    let seconds: TimeInterval

    /// - Parameter text: A whole number and its unit; `nil` for anything else.
    init?(parsing text: String) {
        let units: [Character: TimeInterval] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }), !digits.isEmpty, digits.count <= 9,
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(digits)
        else { return nil }
        seconds = TimeInterval(number) * unit
    }
}
