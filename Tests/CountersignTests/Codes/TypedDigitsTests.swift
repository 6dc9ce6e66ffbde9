import Testing

@testable import Countersign

@Suite("Digits as a person types them")
struct TypedDigitsTests {
    @Test(arguments: [
        ("123456", "123456"), ("", ""), (" 123 456\n", "123456"), ("123\u{A0}456", "123456"),
        ("12-34\u{2010}56\u{2011}7\u{2012}8\u{2013}9", "123456789"), ("1\u{202F}2\u{2009}3\t4\r\n", "1234"),
        ("١٢٣٤٥٦", "123456"), ("۱۲۳", "123"), ("१२३", "123"), ("\u{FF11}\u{FF12}\u{FF13}", "123"),
    ])
    func `are read in groups and in any script`(typed: String, digits: String) {
        #expect(TypedDigits.normalized(typed) == digits)
    }

    @Test(arguments: ["12a34", "12.34", "+1234", "1234½", "1\u{20E3}23", "万1", "\u{2212}1"])
    func `keep every other character, so that a wrong code stays wrong`(typed: String) {
        #expect(TypedDigits.normalized(typed) == typed)
    }

    @Test func `are read up to a limit`() {
        #expect(TypedDigits.normalized(String(repeating: "1", count: 70)) == String(repeating: "1", count: 64))
        #expect(TypedDigits.normalized(String(repeating: " ", count: 64) + "1") == "")
        #expect(TypedDigits.normalized("1" + String(repeating: "\u{301}", count: 10_000)).unicodeScalars.count == 64)
    }
}
