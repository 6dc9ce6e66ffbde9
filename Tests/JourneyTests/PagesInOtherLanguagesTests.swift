import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

/// The pages of a sign-in as people read them who prefer another language, and as an operator coloured them.
@Suite("The pages in another language or of another brand", .timeLimit(.minutes(10)))
struct PagesInOtherLanguagesTests {
    private let all = BrowserOptions.all

    /// The words that a person reads and presses on the way.
    struct Words: Sendable {
        let language: String
        let signIn: String
        let enterCode: String
        let go: String
        let confirm: String
        let approve: String
        let approved: String
        let account: String
        let notFound: String
    }

    static let german = Words(
        language: "de", signIn: "Anmelden", enterCode: "Geben Sie den Code von Ihrem Bildschirm ein", go: "Weiter",
        confirm: "Anmeldung bestätigen?", approve: "Bestätigen", approved: "Bestätigt",
        account: "Wo Sie angemeldet sind", notFound: "Keine solche Seite"
    )
    static let french = Words(
        language: "fr", signIn: "Se connecter", enterCode: "Saisissez le code affiché sur votre écran", go: "Continuer",
        confirm: "Approuver cette connexion\u{202F}?", approve: "Approuver", approved: "Approuvé",
        account: "Où vous êtes connecté", notFound: "Page introuvable"
    )
    static let spanish = Words(
        language: "es", signIn: "Iniciar sesión", enterCode: "Introduce el código de tu pantalla", go: "Continuar",
        confirm: "¿Aprobar este inicio de sesión?", approve: "Aprobar", approved: "Aprobado",
        account: "Dónde tienes la sesión iniciada", notFound: "No existe esa página"
    )
    static let english = Words(
        language: "en", signIn: "Sign in", enterCode: "Enter the code on your screen", go: "Continue",
        confirm: "Approve this sign-in?", approve: "Approve", approved: "Approved",
        account: "Where you are signed in", notFound: "No such page"
    )

    @Test(arguments: [german, french, spanish])
    func `fit, are legible, and lead from the code to the account`(words: Words) async throws {
        try await BrowserStory.play { story in
            try await story.browser.preferLanguages("\(words.language),en;q=0.5")
            try await walk(story, words)
        }
    }

    @Test(arguments: ["#ffcc00", "#000080", "#e0e0e0"])
    func `fit and are legible in the colour of an operator`(color: String) async throws {
        let accent = try #require(AccentColor(color))
        let logo = try #require(BrandLogo(Array(Self.logo.utf8)))
        let (terms, privacy) = (PolicyLink("https://radio.example/t"), PolicyLink("https://radio.example/p"))
        let brand = Brand(name: "Radio Nord", logo: logo, accent: accent, terms: terms, privacy: privacy)
        try await BrowserStory.play(configuring: { $0.brand = brand }) { story in
            try await walk(story, Self.english, of: brand.name)
        }
    }

    @Test func `fit with a name that is one long word`() async throws {
        let brand = Brand(name: String(repeating: "W", count: Brand.longestName))
        try await BrowserStory.play(configuring: { $0.brand = brand }) { story in
            let browser = story.browser
            try await story.open("/activate")
            try await browser.expect("Sign in", of: brand.name, in: all)
            try await browser.signIn(as: .anna)
            try await browser.expect("Enter the code on your screen", of: brand.name, in: all)
        }
    }

    /// Standard: WCAG 2.2 §1.4.4.
    @Test(arguments: [english, german, french])
    func `fit with letters of twice their size`(words: Words) async throws {
        try await BrowserStory.play(.phone) { story in
            let browser = story.browser
            try await browser.preferLanguages("\(words.language),en;q=0.5")
            func expectRoom() async throws {
                try await browser.run("document.documentElement.style.fontSize = '212.5%'")
                let heading = try await browser.heading()
                #expect(try await browser.overflow() == [], "\(heading)")
            }
            try await story.open("/activate")
            try await expectRoom()
            try await browser.element("#username").type(JourneyPerson.anna.username)
            try await browser.element("#password").type(JourneyPerson.anna.password)
            try await browser.press(words.signIn)
            try await expectRoom()
            try await browser.element("#user_code").type(try await story.screen.ask().userCode.rawValue)
            try await browser.press(words.go)
            try await expectRoom()
            try await browser.press(words.approve)
            try await expectRoom()
            try await story.open("/account")
            try await expectRoom()
        }
    }

    @Test func `fit from right to left, too`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            try await story.bringToDecision(try await story.screen.ask())
            for look in all {
                try await browser.look(look)
                try await browser.run("document.documentElement.dir = 'rtl'")
                #expect(try await browser.overflow() == [])
            }
        }
    }

    private static let logo = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><circle cx="15" cy="15" r="14" fill="#b00020"/>\
        <script>document.title = "run"</script></svg>
        """

    private func walk(_ story: BrowserStory, _ words: Words, of brand: String = "Countersign") async throws {
        let browser = story.browser
        func expect(_ heading: String, answering status: Int = 200) async throws {
            try await browser.expect(heading, answering: status, language: words.language, of: brand, in: all)
        }
        try await story.open("/activate")
        try await expect(words.signIn)
        try await browser.element("#username").type(JourneyPerson.anna.username)
        try await browser.element("#password").type(JourneyPerson.anna.password)
        try await browser.press(words.signIn)
        try await expect(words.enterCode)
        let codes = try await story.screen.ask()
        try await browser.element("#user_code").type(codes.userCode.rawValue)
        try await browser.press(words.go)
        try await expect(words.confirm)
        try await browser.press(words.approve)
        try await expect(words.approved)
        _ = try await story.screen.poll(codes).tokens
        try await story.open("/account")
        try await expect(words.account)
        try await story.open("/nowhere")
        try await expect(words.notFound, answering: 404)
    }
}
