import Foundation
import Testing

@testable import CountersignServer

@Suite("The table of texts of a language")
struct TextTableTests {
    private static let others = PageLanguage.allCases.filter { $0 != .english }
    private static let texts = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../../Sources/CountersignServer/Pages/Texts")

    @Test(arguments: others)
    func `has a text for every key, and no other`(language: PageLanguage) {
        let (mine, english) = (Set(TextTable.of(language).texts.keys), Set(TextTable.english.texts.keys))
        #expect(english.subtracting(mine).sorted() == [])
        #expect(mine.subtracting(english).sorted() == [])
    }

    @Test(arguments: others)
    func `leaves room for the same values as in English`(language: PageLanguage) {
        for (key, text) in TextTable.of(language).texts {
            let names = TextTable.placeholders(in: text).sorted()
            #expect(names == TextTable.placeholders(in: TextTable.english[key]).sorted(), "\(key)")
        }
    }

    @Test(arguments: PageLanguage.allCases)
    func `says every text that pages choose, and every form of one with a number`(language: PageLanguage) {
        let texts = TextTable.of(language).texts
        #expect(TextKey.allCases.filter { texts[$0.rawValue] == nil } == [])
        #expect(TextKey.History.allCases.filter { texts[$0.rawValue] == nil } == [])
        #expect(TextKey.Admin.allCases.filter { texts[$0.rawValue] == nil } == [])
        for plural in TextKey.Plural.allCases {
            for form in ["one", "other"] { #expect(texts["\(plural.rawValue).\(form)"] != nil, "\(plural) \(form)") }
        }
    }

    @Test(arguments: PageLanguage.allCases)
    func `holds no empty text, no markup and no template syntax`(language: PageLanguage) {
        for (key, text) in TextTable.of(language).texts {
            #expect(!text.isEmpty && text.first?.isWhitespace == false && text.last?.isWhitespace == false, "\(key)")
            #expect(!text.contains { "<>&\"'[]|".contains($0) }, "\(key)")
            #expect(!text.contains("{{"), "\(key)")
        }
    }

    @Test(arguments: PageLanguage.allCases)
    func `was built with every line of its file, none of them twice`(language: PageLanguage) throws {
        let file = try String(contentsOf: Self.texts.appending(path: "\(language.tag).txt"), encoding: .utf8)
        let lines = file.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(TextTable.parse(file) == TextTable.of(language).texts)
        #expect(lines.count == TextTable.of(language).texts.count)
    }

    @Test func `has no text that no page shows`() {
        var used = Set(TextKey.allCases.map(\.rawValue) + TextKey.History.allCases.map(\.rawValue))
        used.formUnion(TextKey.Admin.allCases.map(\.rawValue))
        for plural in TextKey.Plural.allCases {
            used.formUnion(["\(plural.rawValue).one", "\(plural.rawValue).other"])
        }
        for template in PageTemplate.allCases {
            for piece in template.text.components(separatedBy: "[[").dropFirst() {
                used.insert(String(piece.prefix { $0 != "]" && $0 != "|" }))
            }
        }
        #expect(Set(TextTable.english.texts.keys).subtracting(used).sorted() == [])
    }

    @Test(arguments: [
        (PageLanguage.english, 0, "0 minutes"), (.english, 1, "1 minute"), (.german, 1, "1 Minute"),
        (.german, 3, "3 Minuten"), (.french, 0, "0 minute"), (.french, 1, "1 minute"), (.french, 2, "2 minutes"),
        (.spanish, 0, "0 minutos"), (.spanish, 1, "1 minuto"),
    ])
    func `counts as its language does`(language: PageLanguage, count: Int, expected: String) {
        #expect(LocalizedText.counted(count, .minutes).words(in: TextTable.of(language)) == expected)
    }

    @Test(arguments: [
        (PageLanguage.german, 130.0, "vor 2 Minuten, 11:57 UTC"), (.french, 7_300, "il y a 2 heures, 09:58 UTC"),
        (.spanish, 0, "ahora mismo, 12:00 UTC"), (.german, 86_400, "14. Januar 2027, 12:00 UTC"),
        (.french, 86_400, "14 janvier 2027, 12:00 UTC"), (.spanish, 86_400, "14 de enero de 2027, 12:00 UTC"),
    ])
    func `tells times as its language does`(language: PageLanguage, ago: Double, expected: String) {
        let noon = Date(timeIntervalSince1970: 1_800_014_400)
        #expect(TimeDisplay(noon - ago, at: noon).text.words(in: TextTable.of(language)) == expected)
    }
}

@Suite("The texts in a template")
struct TemplateTextsTests {
    private let table = TextTable(
        tag: "xx", texts: ["plain": "a < b | [c]", "named": "{who} and {what}", "inner": "in & out"])

    private func filled(_ template: String) throws -> String {
        try TemplateTexts(table: table).filled(template, named: "t")
    }

    @Test func `are escaped for HTML`() throws {
        #expect(try filled("<p>[[plain]]</p>") == "<p>a &lt; b &#124; &#91;c&#93;</p>")
    }

    @Test func `have the page's values, or what the template says stands there`() throws {
        #expect(try filled("[[named]]") == "{{who}} and {{what}}")
        #expect(try filled("[[named|who=<b>{{a}}</b>]]") == "<b>{{a}}</b> and {{what}}")
        #expect(
            try filled("[[named|who=<a href=\"/\">[[inner]]</a>]]") == "<a href=\"/\">in &amp; out</a> and {{what}}")
    }

    @Test(arguments: ["[[missing]]", "[[named|other=x]]", "[[named|who]]", "plain]]", "[[named|who=Anna"])
    func `are refused where they are broken`(template: String) {
        #expect(throws: TemplateError.self) { () throws -> Void in _ = try filled(template) }
    }

    @Test func `are refused where a language lacks one`() {
        #expect(throws: TemplateError.self) { () throws -> Void in
            let empty = TextTable(tag: "fr", texts: [:])
            _ = try PageRenderer(base: "", texts: { $0 == .french ? empty : .of($0) })
        }
    }
}
