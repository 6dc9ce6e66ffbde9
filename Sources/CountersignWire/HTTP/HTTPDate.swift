package import FoundationEssentialsCompat

/// Writes and reads dates as HTTP headers contain them.
///
/// Standard: RFC 9110 §5.6.7 (IMF-fixdate).
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns `date` as `Sun, 06 Nov 1994 08:49:37 GMT`; fractions of a second are dropped.
    ///
    /// - Parameter date: An instant in the years 1 to 9999.
    package static func text(of date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let day = floor(seconds, by: 86_400)
        let (year, month, dayOfMonth) = civil(day)
        let time = seconds - day * 86_400
        let weekday = days[day - floor(day, by: 7) * 7]
        return "\(weekday), \(two(dayOfMonth)) \(months[month - 1]) \(four(year))"
            + " \(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    /// Reads a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; the two older forms are not read, since they are no longer
    /// sent.
    ///
    /// - Returns: The instant; `nil` when the text is not in this form.
    package static func date(of text: String) -> Date? {
        guard text.utf8.count == 29 else { return nil }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2, parts[3].utf8.count == 4 else {
            return nil
        }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).compactMap { number($0) }
        guard let day = number(parts[1]), let month = months.firstIndex(of: String(parts[2])),
            let year = number(parts[3]), clock.count == 3
        else { return nil }
        // The text is compared with what this would write: that finds the wrong weekday and the 30th of February, too.
        let seconds = days(to: year, month + 1, day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        let date = Date(timeIntervalSince1970: Double(seconds))
        return self.text(of: date) == text ? date : nil
    }

    /// Returns the count of days from 1 January 1970 to a date, in the Gregorian calendar.
    private static func days(to year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month <= 2 ? year - 1 : year
        let era = floor(years, by: 400)
        let yearOfEra = years - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
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
