import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

@Suite("The brand of an operator")
struct BrandTests {
    private static let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>"
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]

    @Test func `stands on every page`() throws {
        var brand = Brand(name: "Radio Nord")
        brand.terms = PolicyLink("https://radio.example/terms?a=1&b=2")
        brand.privacy = PolicyLink("https://radio.example/privacy")
        let renderer = try PageRenderer(base: "/a", brand: brand)
        for (name, html) in try SamplePages.html(filledWith: "x", by: renderer) {
            #expect(html.contains(" – Radio Nord</title>") && html.contains("<span>Radio Nord</span>"), "\(name)")
            let links = Markup(html).all("a").filter { $0.attributes["href"]?.hasPrefix("https://radio.") == true }
            #expect(links.count == 2 && links.allSatisfy { $0.attributes["rel"] == "noreferrer" }, "\(name)")
            #expect(html.contains("href=\"https://radio.example/terms?a=1&amp;b=2\""), "\(name)")
            #expect(!html.contains("Countersign"), "\(name)")
        }
    }

    @Test func `adds nothing to a page where nothing is configured`() throws {
        let html = try PageRenderer(base: "").html(ProblemView(.notFound))
        #expect(!html.contains("policies") && !html.contains("<img"))
    }

    @Test(arguments: HTMLEscapingTests.hostile, PageLanguage.allCases)
    func `cannot add a tag by its name`(name: String, language: PageLanguage) throws {
        let tame = try SamplePages.html(
            filledWith: "x", by: PageRenderer(base: "", brand: Brand(name: "x")), in: language)
        let hostile = try PageRenderer(base: "", brand: Brand(name: name))
        for (page, html) in try SamplePages.html(filledWith: "x", by: hostile, in: language) {
            let expected = Markup(try #require(tame[page])).tags.map(\.name)
            #expect(Markup(html).tags.map(\.name) == expected, "\(page)")
        }
    }

    @Test(arguments: [
        (Array(svg.utf8), "image/svg+xml"), (Array("<?xml version=\"1.0\"?><svg/>".utf8), "image/svg+xml"),
        (png, "image/png"),
    ])
    func `shows its picture, which runs nothing`(bytes: [UInt8], type: String) async throws {
        let logo = try #require(BrandLogo(bytes))
        try await TestServer.open(configuring: { $0.brand.logo = logo }) { server in
            let page = try await server.get("/login")
            let image = try #require(Markup(page.text).all("img").first)
            let address = try #require(image.attributes["src"])
            #expect(image.attributes["alt"] == "" && address.hasPrefix("/assets/logo?v="))
            #expect(page.headers[.contentSecurityPolicy]?.contains("img-src 'self'") == true)
            let picture = try await server.get(address)
            #expect(picture.status == .ok && Array(picture.body.readableBytesView) == bytes)
            #expect(picture.headers[.contentType] == type && picture.headers[.xContentTypeOptions] == "nosniff")
            let policy = try #require(picture.headers[.contentSecurityPolicy])
            #expect(policy.hasPrefix("default-src 'none'") && policy.hasSuffix("; sandbox"))
            #expect(!policy.contains("script-src"))
        }
    }

    @Test(.server) func `has no address for a picture that there is not`() async throws {
        let server = TestServer.current
        #expect(try await server.get("/assets/logo").status == .notFound)
    }

    @Test func `takes no picture that is neither SVG nor PNG, or too long`() {
        #expect(BrandLogo([]) == nil && BrandLogo(Array("GIF89a".utf8)) == nil)
        #expect(BrandLogo(Array("<html><svg></svg></html>".utf8)) == nil)
        #expect(BrandLogo([0xFF] + Array("<svg>".utf8)) == nil)
        #expect(BrandLogo(Self.png + Array(repeating: 0, count: BrandLogo.longest)) == nil)
    }

    @Test(arguments: [
        "http://radio.example/", "https://", "https:///a", "https://a@b.example/", "javascript:alert(1)", "/terms", "",
        "https://radio.example/\"onclick=", "https://radio.example/ x", "https://rädio.example/",
        "https://radio.example/" + String(repeating: "a", count: 1_024),
    ])
    func `links nothing but https`(text: String) {
        #expect(PolicyLink(text) == nil)
    }

    @Test func `colours the pages by the style sheet`() async throws {
        let accent = try #require(AccentColor("#FFCC00"))
        try await TestServer.open(configuring: { $0.brand.accent = accent }) { server in
            let page = try await server.get("/login")
            let address = try #require(
                Markup(page.text).all("link").compactMap { $0.attributes["href"] }.first { $0.contains("style.css") })
            let styles = try await server.get(address)
            #expect(styles.text.contains("--go: #ffcc00;") && styles.text.contains("--go-ink: #000000;"))
            #expect(styles.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(page.text.contains("fill='%23ffcc00'") && !page.text.contains("style="))
            #expect(!address.contains(PageAsset.stylesheet.digest))
        }
    }
}

@Suite("The colour of an operator")
struct AccentColorTests {
    @Test(arguments: ["", "#", "#fff", "0d5c63", "#0d5c6g", "#0d5c633", "#+d5c63", "red", "#٠٠٠٠٠٠"])
    func `is six hexadecimal digits`(text: String) {
        #expect(AccentColor(text) == nil)
    }

    @Test func `is written as it was read`() throws {
        #expect(try #require(AccentColor("#0D5c03")).text == "#0d5c03")
    }

    @Test func `has the contrast that the guidelines compute`() {
        #expect(AccentColor.black.contrast(with: .white) == 21)
        #expect(abs(AccentColor(red: 0x76, green: 0x76, blue: 0x76).contrast(with: .white) - 4.54) < 0.01)
    }

    @Test func `can be read on as text, and seen as a link, whatever it is`() {
        let ground = AccentColor(red: 0xFF, green: 0xFD, blue: 0xF9)
        let night = AccentColor(red: 0x18, green: 0x20, blue: 0x29)
        for red in stride(from: 0, through: 255, by: 51) {
            for green in stride(from: 0, through: 255, by: 51) {
                for blue in stride(from: 0, through: 255, by: 51) {
                    let color = AccentColor(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
                    #expect(color.contrast(with: color.ink) >= 4.5, "\(color.text)")
                    let day = color.legible(on: ground, atLeast: 4.5, towards: .black)
                    #expect(day.contrast(with: ground) >= 4.5, "\(color.text)")
                    let dark = color.legible(on: night, atLeast: 4.5, towards: .white)
                    #expect(dark.contrast(with: night) >= 4.5, "\(color.text)")
                }
            }
        }
    }

    @Test(arguments: [("#ffcc00", "#000000"), ("#000080", "#ffffff"), ("#b00020", "#ffffff"), ("#ffffff", "#000000")])
    func `has black or white text on it`(color: String, ink: String) throws {
        #expect(try #require(AccentColor(color)).ink.text == ink)
    }
}
