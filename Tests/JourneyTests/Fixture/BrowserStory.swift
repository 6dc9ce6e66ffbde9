import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import CountersignServer

/// A screen that asks and a person at a real browser, with the real server between them.
///
///     try await BrowserStory.play(.phone) { story in
///         let codes = try await story.screen.ask()
///         try await story.browser.open(codes.verificationURI)
///         …
///     }
struct BrowserStory: Sendable {
    let server: JourneyServer
    let browser: Browser
    let screen: JourneyScreen

    /// Plays a story in a browser that looks at pages in this way.
    static func play(
        _ look: BrowserOptions = .desk,
        clock: ManualClock = ManualClock(),
        configuring: @Sendable (inout ServerSettings) -> Void = { _ in },
        isolation: isolated (any Actor)? = #isolation,
        _ body: (BrowserStory) async throws -> Void
    ) async throws {
        try await JourneyServer.with(clock: clock, configuring: configuring) { server in
            try await Browser.with(look) { browser in
                try await body(
                    BrowserStory(server: server, browser: browser, screen: JourneyScreen(at: server.issuer))
                )
            }
        }
    }

    /// Opens a page of the server.
    func open(_ path: String, in other: Browser? = nil) async throws {
        try await (other ?? browser).open("\(server.issuer)\(path)")
    }

    /// Goes to the page where codes are typed, and signs in on the way.
    func visitAsSomebody(_ person: JourneyPerson = .anna, in other: Browser? = nil) async throws {
        try await open("/activate", in: other)
        try await (other ?? browser).signIn(as: person)
    }

    /// Signs in, types the code and stops where the person has to decide.
    func bringToDecision(
        _ codes: DeviceAuthorizationResponse,
        as person: JourneyPerson = .anna,
        in other: Browser? = nil
    ) async throws {
        try await visitAsSomebody(person, in: other)
        try await (other ?? browser).enter(codes.userCode)
    }

    /// Adds a passkey on the account page of the person who is signed in; the browser has an authenticator.
    func addPasskey(_ name: String) async throws {
        try await open("/account")
        try await browser.press("Add a passkey")
        try await browser.element("#passkey_name").type(name)
        try await browser.press("Make a passkey")
        try await browser.arrive(at: "Where you are signed in")
        #expect(try await browser.text().contains("The passkey is added."))
    }

    /// The link that the picture of a browser has in this minute, which asks to be signed in from a phone.
    func link(shownBy browser: Browser) async throws -> String {
        let cookies = try await browser.cookies()
        let asked = try #require(cookies.lazy.compactMap { BrowserRequestCookie($0.value) }.first)
        let (mark, now) = (NIOLockedValueBox<LinkMark?>(nil), server.clock.date)
        try await server.change { repositories in
            let found = try repositories.exchanges.find(asked.code.digest)?.terms.freshLink?.mark(at: now)
            mark.withLockedValue { $0 = found }
        }
        let shown = try #require(mark.withLockedValue { $0 })
        return "\(server.issuer)/activate?user_code=\(asked.userCode)&\(LinkMark.parameter)=\(shown)"
    }

    /// Whether the resource server is told that the tokens are good.
    func isActive(_ tokens: TokenResponse) async throws -> Bool {
        try await JourneyScreen.api(at: server.issuer).isActive(tokens.accessToken)
    }
}

extension BrowserOptions {
    static let phone = BrowserOptions(width: 360, height: 740)
    static let phoneAtNight = BrowserOptions(width: 360, height: 740, scheme: .dark)
    static let largePhone = BrowserOptions(width: 390, height: 844)
    static let desk = BrowserOptions(width: 1280)
    static let deskAtNight = BrowserOptions(width: 1280, scheme: .dark)

    static let all: [BrowserOptions] = [.phone, .phoneAtNight, .largePhone, .desk, .deskAtNight]

    /// The same with the scripts of pages off.
    var withoutScripts: BrowserOptions {
        var options = self
        options.javaScript = false
        return options
    }
}

extension BrowserOptions: CustomTestStringConvertible {
    var testDescription: String { "\(width) px, \(scheme.rawValue), scripts \(javaScript ? "on" : "off")" }
}

// Actions of a person on the pages.
extension Browser {
    /// Fills in the login page, which must be open.
    func signIn(as person: JourneyPerson, password: String? = nil) async throws {
        let username = try await element("#username")
        try await username.clear()
        try await username.type(person.username)
        try await element("#password").type(password ?? person.password)
        try await press("Sign in")
    }

    /// Types a code, where codes are typed.
    func enter(_ code: UserCodeText) async throws {
        let field = try await element("#user_code")
        try await field.clear()
        try await field.type(code.rawValue)
        try await press("Continue")
    }

    /// Presses the button, or follows the link, that is called so, which leads to another page.
    func press(_ name: String) async throws {
        for control in try await elements("button, a[href]") where try await control.label() == name {
            return try await leaving { try await control.click() }
        }
        throw WebDriverError(
            code: WebDriverError.noSuchElement,
            reason: "the page is \(try await address()): \(try await text())",
            command: "press “\(name)”"
        )
    }

    /// Presses the button that is called so, which leads to no page.
    func pressAndStay(_ name: String) async throws {
        for control in try await elements("button") where try await control.label() == name {
            return try await control.click()
        }
    }

    /// Whether there is a button or link that is called so.
    func offers(_ name: String) async throws -> Bool {
        for control in try await elements("button, a[href]") where try await control.label() == name { return true }
        return false
    }

    /// Waits until the script of a page has led to the page with this heading.
    func arrive(at heading: String) async throws {
        try await wait(for: heading) { (try? await self.heading()) == heading }
    }

    /// The heading of the page.
    func heading() async throws -> String { try await element("h1").text() }
}
