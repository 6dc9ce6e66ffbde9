import Testing

@testable import Countersign

@Suite("A user code")
struct UserCodeTests {
    @Test func `is shown in two halves`() throws {
        let code = try #require(UserCode(parsing: "WDJBMJHT"))
        #expect(code.description == "WDJB-MJHT")
        #expect(code.characters == "WDJBMJHT")
    }

    @Test(arguments: [
        "WDJB-MJHT", "WDJBMJHT", "wdjbmjht", "wDjB-mJhT", "WDJB MJHT", " WDJB-MJHT ", "W D J B M J H T",
        "--WDJB--MJHT--", "WDJB_MJHT", "WDJB.MJHT", "WD-JB-MJ-HT", "WDJB\tMJHT", "WDJB-MJHT\n", "WDJB-MJHT\r\n",
    ])
    func `is read in any case, with any separators in any place`(typed: String) {
        #expect(UserCode(parsing: typed)?.characters == "WDJBMJHT")
    }

    @Test(arguments: [
        "\u{00A0}", "\u{2002}", "\u{2003}", "\u{2009}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{2028}", "\u{200B}",
        "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2015}", "\u{2212}", "\u{FE58}", "\u{FE63}",
        "\u{FF0D}", "\u{301C}", "\u{00AD}", "\u{200E}", "\u{202E}", "\u{2068}", "\u{FEFF}", "ー",
    ])
    func `is read with the spaces and dashes that keyboards and editors put in`(separator: String) {
        #expect(UserCode(parsing: "WDJB\(separator)MJHT")?.characters == "WDJBMJHT")
    }

    @Test(arguments: ["ＷＤＪＢ-ＭＪＨＴ", "ｗｄｊｂｍｊｈｔ", "WDJB-MJH𝐓", "\u{2068}WDJB-MJHT\u{2069}"])
    func `is read in letters of another width, and with marks of direction around it`(typed: String) {
        #expect(UserCode(parsing: typed)?.characters == "WDJBMJHT")
        #expect(UserCode(parsing: "WDJB-MJH\u{212A}")?.characters == "WDJBMJHK", "the Kelvin sign is a K")
    }

    @Test(arguments: [
        "", " ", "-", "WDJB-MJH", "WDJB-MJHTW", "W", "WDJB-MJHT WDJB-MJHT",
    ])
    func `has eight letters`(typed: String) {
        #expect(UserCode(parsing: typed) == nil)
    }

    @Test(arguments: Array("AEIOUY0123456789aeiouy"))
    func `has no vowel and no digit`(character: Character) {
        #expect(UserCode(parsing: "WDJB-MJH\(character)") == nil)
        #expect(UserCode(parsing: "\(character)DJB-MJHT") == nil)
    }

    @Test(arguments: [
        "WDJB-MJHТ",  // Cyrillic Te
        "WDJB-MJΗT",  // Greek Eta
        "W\u{301}DJB-MJHT",  // an accent on a letter
        "WDJB-\u{301}MJHT",  // an accent on the dash
        "WDJB-MJHß",  // whose upper case is SS
        "WDJBMJHﬆ",  // a ligature
        "WDJB\0MJHT", "WDJB\u{7}MJHT",
    ])
    func `has no character that only looks like one of its own`(typed: String) {
        #expect(UserCode(parsing: typed) == nil)
    }

    @Test(arguments: ["WDJB/MJHT", "WDJB+MJHT", "WDJB:MJHT", "<b>WDJBMJHT", "WDJB'MJHT", "WDJB%20MJHT", "WDJB,MJHT"])
    func `has no other punctuation`(typed: String) {
        #expect(UserCode(parsing: typed) == nil)
    }

    @Test func `is not looked for in a long text`() {
        #expect(UserCode(parsing: "WDJBMJHT" + String(repeating: " ", count: 120)) != nil)
        #expect(UserCode(parsing: "WDJBMJHT" + String(repeating: " ", count: 121)) == nil)
        #expect(UserCode(parsing: String(repeating: "-", count: 1_000_000) + "WDJBMJHT") == nil)
        #expect(UserCode(parsing: "WDJBMJHT" + String(repeating: "\u{301}", count: 1_000_000)) == nil)
    }

    @Test func `equals another that was typed differently`() {
        #expect(UserCode(parsing: "wdjb mjht") == UserCode(parsing: "WDJB-MJHT"))
        #expect(UserCode(parsing: "WDJB-MJHT") != UserCode(parsing: "WDJB-MJHB"))
    }

    @Test func `comes from twenty different consonants`() {
        #expect(Set(UserCode.alphabet).count == 20)
        #expect(Set(UserCode.alphabet).isDisjoint(with: "AEIOUY01"))
    }
}

@Suite("An unwanted word")
struct UnwantedWordsTests {
    @Test(arguments: UnwantedWords.runs)
    func `is made of letters that a code can have`(run: String) {
        #expect(Set(run).isSubset(of: UserCode.alphabet))
        #expect((2...UserCode.length).contains(run.count))
    }

    @Test func `is found at every place, and across the dash`() {
        #expect(UnwantedWords.occur(in: "FCKBDGHJ"))
        #expect(UnwantedWords.occur(in: "BDGHJFCK"))
        #expect(UnwantedWords.occur(in: "BDGFCKHJ"))
        #expect(!UnwantedWords.occur(in: "WDJBMJHT"))
    }

    @Test func `makes no code, but can be typed like any other text`() {
        let positions = Array("FCKBDGHJ").compactMap { UserCode.alphabet.firstIndex(of: $0) }
        #expect(UserCode(positions: positions) == nil)
        #expect(UserCode(parsing: "FCKBDGHJ") != nil)
    }
}
