import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The language of a page", .server)
struct PageLanguageTests {
    let server = TestServer.current

    private static func language(_ response: TestResponse) -> String? {
        Markup(response.text).all("html").first?.attributes["lang"]
    }

    @Test(arguments: [
        ("de-AT,de;q=0.9,en;q=0.8", "de", "Anmelden"), ("fr", "fr", "Se connecter"), ("es-MX", "es", "Iniciar sesión"),
        ("en-GB,de;q=0.5", "en", "Sign in"), ("nl", "en", "Sign in"), ("de;q=0", "en", "Sign in"),
    ])
    func `is the one that the browser prefers`(header: String, tag: String, heading: String) async throws {
        let page = try await server.get("/login", headers: [.acceptLanguage: header])
        #expect(page.text.contains("<h1>\(heading)</h1>"))
        #expect(Self.language(page) == tag && page.headers[.contentLanguage] == tag)
        #expect(page.headers[.vary]?.lowercased() == "accept-language")
    }

    @Test func `is English for a browser that says nothing, unless the operator chose another`() async throws {
        try await TestServer.open { (server) async throws -> Void in
            #expect(try await Self.language(server.get("/login")) == "en")
        }
        try await TestServer.open(configuring: { $0.language = .french }) { (server) async throws -> Void in
            #expect(try await Self.language(server.get("/login")) == "fr")
            #expect(try await Self.language(server.get("/login", headers: [.acceptLanguage: "nl"])) == "fr")
            #expect(try await Self.language(server.get("/login", headers: [.acceptLanguage: "en"])) == "en")
        }
    }

    @Test(arguments: [
        String(repeating: "de,", count: 2_000), "de;q=" + String(repeating: "9", count: 4_000),
        "<script>alert(1)</script>", "de;q=0.5;q=1", String(repeating: "a-", count: 1_500),
    ])
    func `stays one of ours whatever a browser sends`(header: String) async throws {
        let page = try await server.get("/login", headers: [.acceptLanguage: header])
        #expect(page.status == .ok)
        let tag = try #require(page.headers[.contentLanguage])
        #expect(PageLanguage.allCases.map(\.tag).contains(tag))
        #expect(!page.text.contains("alert(1)"))
    }

    @Test func `is that of pages about problems too`() async throws {
        let german: HTTPFields = [.acceptLanguage: "de"]
        #expect(try await server.get("/nowhere", headers: german).text.contains("Keine solche Seite"))
        #expect(try await server.get("/activate/decision", headers: german).text.contains("Das geht hier nicht"))
        #expect(try await server.get("/authorize", headers: german).text.contains("<html lang=\"de\""))
        let unexpected = try await server.get("/login", headers: [.acceptLanguage: "de", .expect: "more"])
        #expect(unexpected.text.contains("Das kann hier nicht versprochen werden"))
    }

    @Test func `is not that of errors for programs`() async throws {
        let plain = try await server.post("/token", Form())
        let german = try await server.post("/token", Form(), headers: [.acceptLanguage: "de"])
        #expect(german.text == plain.text && german.headers[.contentLanguage] == nil)
    }

    @Test(.server(withApps: true)) func `is the one for which an app asks, from the sign-in on`() async throws {
        var request = TestApps.shop.request
        request.locales = "nl de-CH fr"
        let login = try #require(try await server.newBrowser().authorize(request).location)
        #expect(try await Self.language(server.get(login)) == "de")
        #expect(try await Self.language(server.get(login, headers: [.acceptLanguage: "es"])) == "de")
        let anna = try await server.browser(of: .anna)
        let page = try await anna.authorize(request)
        #expect(Self.language(page) == "de" && page.text.contains("Anmeldung bestätigen?"))
        request.locales = "nl"
        #expect(try await Self.language(anna.authorize(request)) == "en")
    }

    @Test(.server(withApps: true))
    func `is the one for which an app asks, on the page that posts the answer too`() async throws {
        var request = TestApps.shop.request
        request.locales = "de"
        request.responseMode = .formPost
        let anna = try await server.browser(of: .anna)
        for decision in ["deny", "approve"] {
            let page = try await anna.authorize(request, answering: decision)
            #expect(Self.language(page) == "de" && page.text.contains("Zurück zur App"), "\(decision)")
        }
        let remembered = try await anna.authorize(request)
        #expect(Self.language(remembered) == "de" && remembered.field("code") != nil)
        request.prompts = [.none]
        request.maxAge = 10
        server.clock.advance(by: .seconds(11))
        let refused = try await anna.authorize(request)
        #expect(Self.language(refused) == "de" && refused.field("error") == "login_required")
    }

    @Test func `can be asked for, as the metadata says`() async throws {
        let metadata = try await server.get("/.well-known/openid-configuration")
            .json(AuthorizationServerMetadata.self)
        #expect(metadata.uiLocalesSupported == ["en", "de", "fr", "es"])
    }
}

@Suite("Every page in every language")
struct TranslatedPagesTests {
    @Test(arguments: PageLanguage.allCases)
    func `has all its texts and values`(language: PageLanguage) throws {
        for (name, html) in try SamplePages.html(filledWith: "x", in: language) {
            let body = html.replacing(/<script.*?<\/script>/, with: "")
            #expect(!body.contains { "{}[]".contains($0) }, "\(name)")
            #expect(html.contains("<html lang=\"\(language.tag)\" dir=\"ltr\">"), "\(name)")
        }
    }

    @Test(arguments: PageLanguage.allCases.filter { $0 != .english })
    func `has the same elements as in English`(language: PageLanguage) throws {
        let english = try SamplePages.html(filledWith: "x")
        for (name, html) in try SamplePages.html(filledWith: "x", in: language) {
            // The order of words may differ, and with it the order of elements in a sentence.
            let expected = Markup(try #require(english[name])).tags.map(\.name).sorted()
            #expect(Markup(html).tags.map(\.name).sorted() == expected, "\(name)")
        }
    }

    /// Both tell the same to a person who reads no English: nothing of a page may be written in its template.
    @Test func `takes every word from the tables`() throws {
        let table = TextTable(
            tag: "xx",
            texts: TextTable.english.texts.mapValues { text in
                TextTable.placeholders(in: text).map { "{\($0)}" }.joined(separator: " ")
            })
        let renderer = try PageRenderer(base: "", brand: Brand(name: "0"), texts: { _ in table })
        for (name, html) in try SamplePages.html(filledWith: "0", by: renderer) {
            // The names of time zones are the same in every language.
            let text = html.replacing(/<script.*?<\/script>/, with: "")
                .replacing(/<option value="[A-Za-z_]+\/[^>]*>[^<]*</, with: "<").replacing(/<[^>]*>/, with: " ")
            let words = text.split { !$0.isLetter }.filter { !["UTC", "openid", "https", "done"].contains($0) }
            #expect(words.filter { !Self.codes.contains(String($0)) } == [], "\(name)")
        }
    }

    /// Words that belong to no language: codes and values of the standard.
    private static let codes: Set<String> = [
        "T", "Z", "ask", "automatic", "never", "WDJB", "MJHT", "quot", "amp", "lt", "gt", "doctype", "html",
        "countersign", "admin", "user", "key",
    ]

    @Test func `is written from right to left where its language is`() throws {
        var table = TextTable.english
        table.direction = .rightToLeft
        let renderer = try PageRenderer(base: "", texts: { _ in table })
        for (name, html) in try SamplePages.html(filledWith: "راديو", by: renderer) {
            #expect(html.contains("<html lang=\"en\" dir=\"rtl\">"), "\(name)")
        }
    }

    @Test(arguments: [
        "margin-left", "margin-right", "padding-left", "padding-right", "border-left", "border-right",
        "text-align: left", "text-align: right", "float: left", "float: right", " left:", " right:", "-top-left-radius",
    ])
    func `has a style sheet that does not care for left and right`(property: String) {
        #expect(!String(decoding: PageAsset.stylesheet.bytes, as: UTF8.self).contains(property))
    }
}
