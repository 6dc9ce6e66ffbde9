import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import TestShell
import Testing

@Suite("A person with a passkey, or with codes of their phone", .timeLimit(.minutes(10)))
struct SecondFactorsInBrowserTests {
    private let all = BrowserOptions.all

    private func play(
        _ look: BrowserOptions = .desk,
        configuring: @Sendable (inout ServerSettings) -> Void = { _ in },
        _ body: (BrowserStory) async throws -> Void
    ) async throws {
        // Browsers make no passkeys for an address.
        try await JourneyServer.with(host: "localhost", configuring: configuring) { server in
            try await Browser.with(look) { browser in
                try await body(
                    BrowserStory(server: server, browser: browser, screen: JourneyScreen(at: server.issuer)))
            }
        }
    }

    @Test func `adds a passkey, signs out, and signs in with it`() async throws {
        try await play { story in
            let browser = story.browser
            let phone = try await browser.addAuthenticator()
            try await story.visitAsSomebody()
            try await story.open("/account/passkeys/add")
            try await browser.expect("Add a passkey", in: all)
            try await story.addPasskey("Anna’s phone")
            #expect(try await browser.passkeys(of: phone) == 1)
            try await browser.expect("Where you are signed in", in: all)
            try await browser.press("Sign out of this browser")
            // The browser offers the passkey in the field for the name, and its person takes it at once.
            try await browser.arrive(at: "Where you are signed in")
            #expect(try await browser.text().contains("Last used"))

            try await browser.press("Remove the passkey Anna’s phone")
            try await browser.expect("Remove this passkey?", in: all)
            try await browser.press("Remove it")
            try await browser.expect("Where you are signed in")
            #expect(try await browser.text().contains("The passkey is removed."))
        }
    }

    @Test func `sees the button where the browser knows passkeys, and a whole page where it has no scripts`()
        async throws
    {
        try await play { story in
            try await story.open("/login")
            try await story.browser.expect("Sign in", in: all)
            #expect(try await story.browser.offers("Sign in with a passkey"))
        }
        try await play(.phone.withoutScripts) { story in
            try await story.open("/login")
            try await story.browser.expect("Sign in")
            #expect(try await !story.browser.text().contains("passkey"))
            try await story.browser.signIn(as: .anna)
            try await story.browser.press("Add a passkey")
            try await story.browser.element("#passkey_name").type("none")
            try await story.browser.press("Make a passkey")
            try await story.browser.expect("Add a passkey", answering: 422)
            #expect(try await story.browser.element("#problem").text().contains("did not make a passkey"))
        }
    }

    @Test func `is told when no passkey was used, and signs in otherwise`() async throws {
        try await play(.phone) { story in
            let browser = story.browser
            let phone = try await browser.addAuthenticator(verifying: false)
            try await story.visitAsSomebody()
            try await story.open("/account/passkeys/add")
            try await browser.element("#passkey_name").type("Phone")
            try await browser.pressAndStay("Make a passkey")
            try await browser.wait(untilText: "No passkey was made")
            try await browser.verify(true, at: phone)
            try await browser.press("Make a passkey")
            try await browser.arrive(at: "Where you are signed in")
        }
    }

    @Test func `confirms with the passkey what is given to nobody else`() async throws {
        try await play(configuring: { $0.minimumEvidence = [.profile: ScopeDemands([.userVerified])] }) { story in
            let browser = story.browser
            let codes = try await story.screen.ask()
            try await story.bringToDecision(codes)
            try await browser.expect("Approve this sign-in?", in: all)
            #expect(try await browser.text().contains("you have none yet"))
            let phone = try await browser.addAuthenticator()
            try await story.addPasskey("Phone")
            try await story.open("/activate")
            try await browser.enter(codes.userCode)
            try await browser.expect("Approve this sign-in?", in: all)
            try await browser.verify(false, at: phone)
            try await browser.pressAndStay("Approve")
            try await browser.wait(untilText: "No passkey was used")
            #expect(try await story.screen.poll(codes) == .refused(.authorizationPending))
            try await browser.verify(true, at: phone)
            try await browser.pressAndStay("Approve")
            try await browser.arrive(at: "Approved")
            story.server.clock.advance(by: .seconds(5))
            #expect(try await story.isActive(story.screen.poll(codes).tokens))
        }
    }

    @Test func `sets up codes by scanning with the phone, is asked for one, and uses a recovery code`() async throws {
        try await play { story in
            let browser = story.browser
            try await story.visitAsSomebody()
            try await story.open("/account")
            try await browser.press("Set up one-time passwords")
            try await browser.expect("Set up one-time passwords", in: all)
            let link = try await scanned(browser)
            #expect(link.hasPrefix("otpauth://totp/localhost:anna?secret="))
            try await browser.element("#code").type("000000")
            try await browser.press("Turn it on")
            try await browser.expect("Set up one-time passwords", answering: 422, in: all)
            #expect(try await scanned(browser) == link, "the phone need not scan again")
            try await browser.element("#code").type(try await code(of: link, in: story))
            try await browser.press("Turn it on")
            try await browser.expect("Your recovery codes", in: all)
            let codes = try await browser.elements(".recovery code")
            #expect(codes.count == 10)
            let recovery = try await codes[3].text()
            try await browser.press("I have them")
            try await browser.expect("Where you are signed in", in: all)
            try await browser.press("Sign out of this browser")

            story.server.clock.advance(by: .seconds(30))
            try await browser.signIn(as: .anna)
            try await browser.expect("Enter your one-time password", in: all)
            try await browser.element("#code").type("111111")
            try await browser.press("Sign in")
            try await browser.expect("Enter your one-time password", answering: 403, in: all)
            try await browser.element("#code").type(try await code(of: link, in: story))
            try await browser.press("Sign in")
            try await browser.expect("Where you are signed in")
            try await browser.press("Sign out of this browser")

            try await browser.signIn(as: .anna)
            try await browser.element("#recovery_code").type(recovery.lowercased())
            try await browser.press("Use the recovery code")
            try await browser.expect("Where you are signed in")
            #expect(try await browser.text().contains("9 recovery codes left"))
            try await browser.press("Turn off one-time passwords")
            try await browser.expect("Turn one-time passwords off?")
            try await browser.press("Turn them off")
            #expect(try await browser.text().contains("One-time passwords are off."))
        }
    }

    /// The text that a phone's camera reads from the page.
    private func scanned(_ browser: Browser) async throws -> String {
        let picture = FileManager.default.temporaryDirectory
            .appending(component: "countersign-scan-\(UUID().uuidString.prefix(8)).png")
        defer { try? FileManager.default.removeItem(at: picture) }
        try await browser.screenshot(wholePage: true).write(to: picture)
        return try Shell.run("zbarimg", ["--nodbus", "--quiet", "--raw", picture.path])
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The code that pyotp shows at the server's time.
    private func code(of link: String, in story: BrowserStory) async throws -> String {
        let seconds = Int(story.server.clock.date.timeIntervalSince1970)
        let ended = try await PythonProgram(name: "phone_with_pyotp").run(
            with: ["JOURNEY_LINK": link, "JOURNEY_TIME": "\(seconds)"], advancing: { _ in })
        let words = ended.output.split(separator: " ")
        try #require(ended.status == 0 && words.count == 3, "\(ended.output)")
        #expect(words[0] == "localhost" && words[1] == "anna")
        return String(words[2])
    }
}

extension Browser {
    /// Waits until the page says this.
    fileprivate func wait(untilText words: String) async throws {
        try await wait(for: words) { try await text().contains(words) }
    }
}
