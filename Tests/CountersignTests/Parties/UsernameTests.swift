import Testing

@testable import Countersign

/// Standard: RFC 8265 §3.3.
@Suite("The name of a person")
struct UsernameTests {
    @Test(arguments: [
        ("anna", "anna"), (" Anna\n", "anna"), ("Anna.Example+tv@id-1.example", "anna.example+tv@id-1.example"),
        ("ZOË", "zoë"), ("Zoe\u{308}", "zoë"), ("李", "李"), ("\u{212A}elvin", "kelvin"),
        ("\u{202D}anna\u{202C}", "anna"), ("ＡＮＮＡ", "anna"), ("ｱﾝﾅ", "アンナ"), ("ΠΑΝ", "παν"),
        ("O'Neil@Example.org", "o'neil@example.org"),
    ])
    func `is read in any case and width, in one form`(typed: String, name: String) {
        #expect(Username(parsing: typed)?.rawValue.utf8.elementsEqual(name.utf8) == true)
    }

    @Test(arguments: [
        "विष्णु", "কৃষ্ণ", "தமிழ்", "น้ำฝน", "İpek", "müller", "Nguyễn", "o'neil@example.org", "ສຳລີ", "אבי", "محمد",
        "علی\u{200C}رضا", "ක්\u{200D}රිස්", "col·lega", "中・島", "محمد٣", "ß", "a.person@example.org",
        "a.person.with.a.long.name@department-of-long-names.university.example.org",
    ])
    func `is one that people have`(typed: String) throws {
        let name = try #require(Username(parsing: typed))
        #expect(Username(parsing: name.rawValue) == name, "it names itself")
        #expect(Username(parsing: typed.uppercased()) == name || typed.contains("ß"))
    }

    @Test func `is the same with the İ of Turkey and with i`() {
        #expect(Username(parsing: "İpek")?.rawValue == "ipek" && Username(parsing: "IPEK")?.rawValue == "ipek")
        #expect(Username(parsing: "i\u{307}pek")?.rawValue == "ipek" && Username(parsing: "ıpek")?.rawValue == "ıpek")
    }

    @Test(arguments: [
        "", " ", "\u{202D}\u{202C}", "two words", "a<b", "a\0", "\"", "a/b", "a\u{200B}b", "a\u{202E}b", "a\u{200D}b",
        String(repeating: "a", count: 65), "o'neil", "\u{301}a", "ﬁ", "²", "①", "Ⅷ", "a\u{AD}b", "💯", "a·b", "·",
        "a\u{FFFD}", "\u{1100}\u{1161}\u{1100}a", "אa", "aא", "מ1a", "٣a۳", "a\u{E000}", "a b@example.org",
    ])
    func `has no others than letters, digits and a few signs, and an end`(typed: String) {
        #expect(Username(parsing: typed) == nil)
    }

    @Test func `has its length in the form in which it is kept`() {
        // Each of these is one letter of three bytes, and becomes three of six.
        let typed = String(repeating: "\u{FB2C}", count: 64)
        #expect(Username(parsing: typed) == nil)
        #expect(
            Username(parsing: String(repeating: "a", count: 64) + "@" + String(repeating: "b.", count: 94) + "c") != nil
        )
        #expect(
            Username(parsing: String(repeating: "a", count: 64) + "@" + String(repeating: "b.", count: 95) + "c") == nil
        )
        #expect(Username(parsing: String(repeating: " ", count: 5000) + "anna") == nil)
    }

    @Test(arguments: [("ﬁnn", ["ﬁnn"]), ("ＡＮＮＡ", ["ａｎｎａ", "anna"]), ("Anna", ["anna"]), ("①", ["①"]), ("a b", [])])
    func `that was accepted before is looked for first`(typed: String, names: [String]) {
        #expect(Username.candidates(for: typed).map(\.rawValue) == names)
    }
}
