import CountersignWire
import Testing

@Suite("The languages that a browser prefers")
struct LanguageRangesTests {
    private let available = ["en", "de", "fr", "es"]

    private func chosen(_ headers: String...) -> String? {
        LanguageRanges(parsing: headers).lookup(in: available, otherwise: "en")
    }

    @Test(arguments: [
        ("de", "de"),
        ("de-AT", "de"),
        ("DE-at, en;q=0.5", "de"),
        ("en;q=0.5, de;q=0.8", "de"),
        ("en;q=0.8, de;q=0.80", "en"),
        ("da, en-gb;q=0.8, en;q=0.7", "en"),
        ("zh-Hant-CN-x-private1, fr", "fr"),
        ("de-x-a", "de"),
        ("fr;q=1.000", "fr"),
        ("es ; q=0.3 ,nl", "es"),
        (",, fr ,", "fr"),
    ])
    func `are looked up by preference, each shortened from its end`(header: String, expected: String) {
        #expect(chosen(header) == expected)
    }

    @Test(arguments: ["", "nl", "deu", "d", "nl, it;q=0.5", "*-de", "de;q=0", "de;q=0.000, de-AT"])
    func `may be none of those that there are`(header: String) {
        #expect(chosen(header) == nil)
    }

    @Test(arguments: [("*", "en"), ("nl, *;q=0.1", "en"), ("fr;q=0.1, *", "fr"), ("en;q=0, *", "de"), ("*;q=0", nil)])
    func `may be any, but for those that are refused`(header: String, expected: String?) {
        #expect(chosen(header) == expected)
    }

    @Test(arguments: [
        "fr;q=2", "fr;q=0.1234", "fr;q=", "fr;q=1.1", "fr;x=1", "fr;q=0.5;q=0.5", "f r", "fr-", "fr--FR", "ﬀ",
    ])
    func `are skipped where they are malformed`(member: String) {
        #expect(chosen(member) == nil)
        #expect(chosen("\(member), es;q=0.001") == "es")
    }

    @Test func `may stand in several headers`() {
        #expect(chosen("nl", "fr;q=0.4, de;q=0.6") == "de")
    }

    @Test func `are read up to a limit`() {
        let many = Array(repeating: "nl", count: LanguageRanges.most).joined(separator: ",")
        #expect(LanguageRanges(parsing: ["\(many),de"]).preferred.count == LanguageRanges.most)
        #expect(chosen("\(many),de") == nil)
        let long = String(repeating: "x", count: 1_000_000)
        #expect(chosen("de,\(long)") == "de")
        #expect(chosen("\(long),de") == nil)
    }

    @Test func `are read from ui_locales in their order`() {
        let ranges = LanguageRanges(locales: "nl fr-CA  fr en")
        #expect(ranges.preferred == ["nl", "fr-ca", "fr", "en"])
        #expect(ranges.lookup(in: available, otherwise: "en") == "fr")
        #expect(LanguageRanges(locales: "* se").lookup(in: available, otherwise: "en") == nil)
    }
}
