import Testing

@testable import CountersignServer

@Suite("Text on a page")
struct HTMLEscapingTests {
    @Test(arguments: [
        ("<b>", "&lt;b&gt;"),
        ("\"'&", "&quot;&#39;&amp;"),
        ("&amp;", "&amp;amp;"),
        ("\"\u{301}", "&quot;\u{301}"),
        ("<\u{200D}b", "&lt;\u{200D}b"),
        ("'\u{FE0F}", "&#39;\u{FE0F}"),
        ("a\u{0}b\u{1B}[31m", "a\u{FFFD}b\u{FFFD}[31m"),
        ("line\r\nline", "line\r\nline"),
        ("Zoë 📻 راديو", "Zoë 📻 راديو"),
    ])
    func `is escaped, so that it adds no markup`(text: String, expected: String) {
        let escaped = HTMLEscaping().escapeText(text)
        #expect(Array(escaped.unicodeScalars) == Array(expected.unicodeScalars))
    }

    /// Texts of an attacker, the last ones in ways that escaping by whole characters misses.
    static let hostile = [
        "<script>alert(1)</script>",
        "\" onfocus=\"alert(1)\" autofocus=\"",
        "' onfocus='alert(1)",
        "--></title></textarea><img src=x onerror=alert(1)>",
        "{{{formToken}}}{{>layout}}",
        "\"\u{301} onfocus=alert(1) ",
        "\"\u{200D}><script>alert(1)</script>",
        "<\u{301}script>alert(1)</script>",
    ]

    @Test(arguments: PageLanguage.allCases)
    func `adds no tag and no attribute to any page`(language: PageLanguage) throws {
        let tame = try SamplePages.html(filledWith: "x", in: language).mapValues { Markup($0).tags }
        for text in Self.hostile {
            for (name, html) in try SamplePages.html(filledWith: text, in: language) {
                let expected = try #require(tame[name])
                let found = Markup(html).tags
                #expect(found.map(\.name) == expected.map(\.name), "\(name), \(text)")
                let names = found.map { $0.attributes.keys.sorted() }
                #expect(names == expected.map { $0.attributes.keys.sorted() }, "\(name), \(text)")
            }
        }
    }

    @Test func `is escaped in attributes, so that forms send it back unchanged`() throws {
        let html = try PageRenderer(base: "").html(
            LoginView(formToken: "t", returnTo: "/activate?a=1&b=\"2\"", username: "o'neill")
        )
        #expect(html.contains("name=\"return_to\" value=\"/activate?a=1&amp;b=&quot;2&quot;\""))
        #expect(html.contains("name=\"username\" value=\"o&#39;neill\""))
    }
}
