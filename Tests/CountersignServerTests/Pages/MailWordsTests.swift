import Countersign
import CountersignStorage
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("The words of a mail")
struct MailWordsTests {
    private static let secret = MailSecret(link: "https://id.example/x?a=1&b=2", code: "12345678")

    private func renderer(_ brand: Brand = Brand(name: "Radio Nord"), in language: PageLanguage = .english) throws
        -> MailRenderer
    {
        MailRenderer(
            renderer: try PageRenderer(base: "", brand: brand), siteName: brand.name,
            issuer: try Issuer("https://id.example"), language: language)
    }

    private func message(
        _ kind: MailMessage.Kind, language: PageLanguage? = nil, device: String = "Kitchen Radio"
    ) -> MailMessage {
        MailMessage(
            kind, to: EmailAddress("anna@example.org"), language: language?.tag,
            values: ["device": device, "day": "2027-01-29"])
    }

    @Test(arguments: MailMessage.Kind.allCases, PageLanguage.allCases)
    func `are whole in both forms, in every language`(kind: MailMessage.Kind, language: PageLanguage) throws {
        let hasSecret = [.addressVerification, .passwordReset, .invitation].contains(kind)
        let secret = hasSecret ? Self.secret : nil
        let content = try renderer().content(of: message(kind, language: language), secret, lifetime: 1800)
        #expect(content.language == language.tag && content.html.contains("<html lang=\"\(language.tag)\""))
        for text in [content.subject, content.text, content.html] {
            #expect(!text.isEmpty && !text.contains("{") && !text.contains("[["), "\(text)")
        }
        for text in [content.text, content.html] { #expect(text.contains("Radio Nord") && text.contains("id.example")) }
        #expect(!content.subject.contains("12345678"))
        #expect(content.text.contains("12345678") == hasSecret)
        #expect(content.html.contains("12345678") == hasSecret)
        #expect(content.text.contains("\n-- \n"))
        let link = hasSecret ? "https://id.example/x?a=1&b=2" : "https://id.example/account"
        #expect(content.text.contains("\n\(link)\n"))
        #expect(content.html.contains("href=\"\(link.replacing("&", with: "&amp;"))\""))
        #expect(content.text.contains("30 ") == hasSecret)
        #expect(content.text.contains("Kitchen Radio") == (kind == .newDevice))
    }

    @Test func `are in the language of the server for a receiver whose own is unknown`() throws {
        let content = try renderer(in: .french).content(of: message(.passwordChanged), nil, lifetime: 86_400)
        #expect(content.subject == "Votre mot de passe a été changé" && content.language == "fr")
    }

    @Test func `escape a name in HTML, and lead nowhere else`() throws {
        let hostile = "<a href=\"https://evil.example\">Radio</a>"
        let content = try renderer().content(of: message(.newDevice, device: hostile), nil, lifetime: 86_400)
        #expect(!content.html.contains("<a href=\"https://evil"))
        #expect(content.html.contains("&lt;a href=&quot;https://evil.example&quot;&gt;Radio"))
        #expect(content.html.components(separatedBy: "href=").count == 3)
    }

    @Test func `name a device without a name as an authenticator`() throws {
        let nameless = MailMessage(.newDevice, to: EmailAddress("anna@example.org"))
        let content = try renderer().content(of: nameless, nil, lifetime: 86_400)
        #expect(content.text.contains(LocalizedText.text(.accountAnAuthenticator).english))
    }

    @Test func `have the operator's name and colour`() throws {
        let brand = Brand(name: "Sender & Söhne", accent: AccentColor("#b00020"))
        let content = try renderer(brand).content(of: message(.passwordReset), Self.secret, lifetime: 1800)
        #expect(content.html.contains("background:#b00020;color:#ffffff"))
        #expect(content.html.contains("Sender &amp; Söhne"))
        #expect(content.text.contains("Sender & Söhne"))
    }

    @Test func `load nothing, so that nobody learns when they are read`() throws {
        for kind in MailMessage.Kind.allCases {
            let html = try renderer().content(of: message(kind), Self.secret, lifetime: 1800).html
            for part in ["<img", "<link", "<script", "src=", "url("] { #expect(!html.contains(part), "\(part)") }
        }
    }

    @Test(arguments: [
        (600.0, "for 10 minutes"), (3600, "for 60 minutes"), (7200, "for 2 hours"), (86_400, "for 24 hours"),
        (604_800, "for 7 days"),
    ])
    func `say how long the link works`(lifetime: Double, words: String) throws {
        let content = try renderer().content(
            of: message(.invitation), MailSecret(link: "https://id.example/join"), lifetime: lifetime)
        #expect(content.text.contains("The link works once, \(words)."), "\(content.text)")
    }
}
