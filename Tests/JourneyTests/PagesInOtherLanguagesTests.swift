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
        let history: String
        let happened: String
        let withPhone: String
        let continueAsAnna: String
        let showCode: String
        let codeForScreen: String
    }

    static let german = Words(
        language: "de", signIn: "Anmelden", enterCode: "Geben Sie den Code von Ihrem Bildschirm ein", go: "Weiter",
        confirm: "Anmeldung bestätigen?", approve: "Bestätigen", approved: "Bestätigt",
        account: "Wo Sie angemeldet sind", notFound: "Keine solche Seite",
        history: "Was ist geschehen?", happened: "Was geschehen ist",
        withPhone: "Mit dem Telefon anmelden", continueAsAnna: "Weiter als Anna Example?",
        showCode: "Einen Code für das Gerät anzeigen", codeForScreen: "Ein Code für Ihr Gerät"
    )
    static let french = Words(
        language: "fr", signIn: "Se connecter", enterCode: "Saisissez le code affiché sur votre écran", go: "Continuer",
        confirm: "Approuver cette connexion\u{202F}?", approve: "Approuver", approved: "Approuvé",
        account: "Où vous êtes connecté", notFound: "Page introuvable",
        history: "Que s’est-il passé\u{202F}?", happened: "Ce qui s’est passé",
        withPhone: "Se connecter avec le téléphone", continueAsAnna: "Continuer en tant que Anna Example\u{202F}?",
        showCode: "Afficher un code à saisir sur l’appareil", codeForScreen: "Un code pour votre appareil"
    )
    static let spanish = Words(
        language: "es", signIn: "Iniciar sesión", enterCode: "Introduce el código de tu pantalla", go: "Continuar",
        confirm: "¿Aprobar este inicio de sesión?", approve: "Aprobar", approved: "Aprobado",
        account: "Dónde tienes la sesión iniciada", notFound: "No existe esa página",
        history: "¿Qué pasó?", happened: "Qué pasó",
        withPhone: "Iniciar sesión con el teléfono", continueAsAnna: "¿Continuar como Anna Example?",
        showCode: "Mostrar un código para el dispositivo", codeForScreen: "Un código para tu dispositivo"
    )
    static let english = Words(
        language: "en", signIn: "Sign in", enterCode: "Enter the code on your screen", go: "Continue",
        confirm: "Approve this sign-in?", approve: "Approve", approved: "Approved",
        account: "Where you are signed in", notFound: "No such page",
        history: "What happened?", happened: "What happened",
        withPhone: "Sign in with your phone", continueAsAnna: "Continue as Anna Example?",
        showCode: "Show a code to type on the screen", codeForScreen: "A code for your screen"
    )

    @Test(arguments: [german, french, spanish])
    func `fit, are legible, and lead from the code to the account`(words: Words) async throws {
        try await BrowserStory.play { story in
            try await story.browser.preferLanguages("\(words.language),en;q=0.5")
            try await walk(story, words)
        }
    }

    /// A browser shows the number to a phone of another network, and is signed in.
    @Test(arguments: [german, french, spanish])
    func `fit, and are legible, from the browser that asks for a phone to the life of its request`(
        words: Words
    ) async throws {
        let noNetwork: @Sendable (inout ServerSettings) -> Void = {
            $0.trustedProxies = [AddressNetwork("127.0.0.1")].compactMap(\.self)
        }
        try await BrowserStory.play(.desk, configuring: noNetwork) { story in
            let tv = story.browser
            try await Browser.with(.phone) { phone in
                for browser in [tv, phone] { try await browser.preferLanguages("\(words.language),en;q=0.5") }
                // The texts differ, and neither the colours nor the layout: axe has seen the pages in English.
                func expect(_ heading: String, on browser: Browser) async throws {
                    try await browser.expect(
                        heading, language: words.language, in: [.phone, .deskAtNight], axe: .none)
                }
                try await story.open("/login", in: tv)
                try await tv.press(words.withPhone)
                try await expect(words.withPhone, on: tv)
                try await phone.open(try await story.link(shownBy: tv))
                try await phone.element("#username").type(JourneyPerson.anna.username)
                try await phone.element("#password").type(JourneyPerson.anna.password)
                try await phone.press(words.signIn)
                try await phone.press(words.go)
                try await expect(words.confirm, on: phone)
                try await tv.wait(for: "the number") { try await tv.has("#match .code") }
                try await expect(words.withPhone, on: tv)
                try await phone.element("#number").type(try await tv.element("#match .code").text())
                try await phone.press(words.approve)
                try await expect(words.approved, on: phone)
                try await phone.press(words.history)
                try await expect(words.happened, on: phone)
                try await tv.wait(for: "the answer of the phone") { try await tv.heading() == words.continueAsAnna }
                try await expect(words.continueAsAnna, on: tv)
                try await story.open("/activate", in: phone)
                try await phone.press(words.showCode)
                try await expect(words.codeForScreen, on: phone)
            }
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
