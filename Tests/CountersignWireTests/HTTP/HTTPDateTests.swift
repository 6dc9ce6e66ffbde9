import Foundation
import Testing

@testable import CountersignWire

@Suite("A date of HTTP")
struct HTTPDateTests {
    @Test func `is written as the standard's example`() {
        #expect(HTTPDate.text(of: Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [
        (0.0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399.9, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
    ])
    func `is right at the edges of days, months, centuries and eras`(seconds: Double, text: String) {
        #expect(HTTPDate.text(of: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `is what the system's own calendar says, day after day`() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: -30_000, to: 60_000, by: 17) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 45_296)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
            guard let year = parts.year, let month = parts.month, let number = parts.day, let weekday = parts.weekday
            else { continue }
            let padded = number < 10 ? "0\(number)" : "\(number)"
            let expected = "\(weekdays[weekday - 1]), \(padded) \(months[month - 1]) \(year) 12:34:56 GMT"
            #expect(HTTPDate.text(of: date) == expected)
            #expect(HTTPDate.date(of: expected) == date)
        }
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37 UTC", "Mon, 06 Nov 1994 08:49:37 GMT", "Wed, 30 Feb 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:-7 GMT", "Sun, 6 Nov 1994 08:49:37  GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:060 GM",
    ])
    func `is not read from anything else`(text: String) {
        #expect(HTTPDate.date(of: text) == nil)
    }
}
