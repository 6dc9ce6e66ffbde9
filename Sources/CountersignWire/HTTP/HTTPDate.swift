#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Writes dates as HTTP headers contain them.
///
/// Standard: RFC 9110 §5.6.7 (IMF-fixdate).
public enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns `date` as `Sun, 06 Nov 1994 08:49:37 GMT`; fractions of a second are dropped.
    ///
    /// - Parameter date: An instant in the years 1 to 9999.
    public static func text(of date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let day = floor(seconds, by: 86_400)
        let (year, month, dayOfMonth) = civil(day)
        let time = seconds - day * 86_400
        let weekday = days[day - floor(day, by: 7) * 7]
        return "\(weekday), \(two(dayOfMonth)) \(months[month - 1]) \(four(year))"
            + " \(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    /// The year, month and day that come `day` days after 1 January 1970, in the calendar of Gregory.
    ///
    /// Years are taken to begin in March, so that the day that some of them lack is their last.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let sinceMarch = day + 719_468
        let era = floor(sinceMarch, by: 146_097)
        let dayOfEra = sinceMarch - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// The quotient, rounded down, below zero too.
    private static func floor(_ number: Int, by divisor: Int) -> Int {
        number >= 0 ? number / divisor : -((divisor - 1 - number) / divisor)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func four(_ number: Int) -> String { "\(two(number / 100))\(two(number % 100))" }
}
