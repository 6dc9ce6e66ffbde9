import Testing

@testable import Countersign

@Suite("Text that a person types")
struct TypedTextTests {
    @Test(arguments: [
        ("123456", "123456"), ("", ""), (" 123 456\n", "123456"), ("123\u{A0}456", "123456"),
        ("12-34\u{2010}56\u{2011}7\u{2012}8\u{2013}9", "123456789"), ("1\u{202F}2\u{2009}3\t4\r\n", "1234"),
        ("١٢٣٤٥٦", "123456"), ("۱۲۳", "123"), ("१२३", "123"), ("\u{FF11}\u{FF12}\u{FF13}", "123"),
        ("\u{2212}1", "1"), ("1ー2\u{FF70}3", "123"), ("𝟙𝟚𝟛", "123"),
    ])
    func `has digits in groups and in any script`(typed: String, digits: String) {
        #expect(TypedText.digits(typed) == digits)
    }

    @Test(arguments: [
        "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}",
        "\u{202E}", "\u{2060}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}", "\u{061C}", "\u{00AD}", "\u{FEFF}",
        "\u{FE0F}", "\u{34F}",
    ])
    func `counts without the marks that have no width`(mark: String) {
        #expect(TypedText.folded("\(mark)12\(mark)Ab\(mark)") == "12Ab")
        #expect(TypedText.trimmed(" \(mark) a\(mark)b \(mark)") == "a\(mark)b")
    }

    @Test(arguments: ["12a34", "12.34", "+1234", "1234½", "1\u{20E3}23", "万1", "1\u{301}2", "1\02"])
    func `keeps every other character, so that a wrong code stays wrong`(typed: String) {
        #expect(TypedText.digits(typed) == nil)
    }

    @Test func `has letters of any width`() {
        #expect(TypedText.folded("ＷＤＪＢ－ＭＪＨＴ") == "WDJBMJHT")
        #expect(TypedText.folded("wd_jb.mj", skipping: "_.") == "wdjbmj")
        #expect(TypedText.folded("Т") == "Т", "Cyrillic stays")
    }

    @Test func `is read up to a limit`() {
        #expect(TypedText.folded(String(repeating: "1", count: 200)) == String(repeating: "1", count: 128))
        #expect(TypedText.folded(String(repeating: " ", count: 128) + "1") == "")
        #expect(TypedText.folded("1" + String(repeating: "\u{301}", count: 10_000)).unicodeScalars.count <= 128)
        #expect(TypedText.trimmed(" \u{202A} ") == "")
    }
}
