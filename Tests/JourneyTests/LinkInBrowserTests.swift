import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("A person who has a link", .timeLimit(.minutes(10)))
struct LinkInBrowserTests {
    private let new = "seven slow snails"

    /// A link as the operator's command makes it.
    private func link(
        to act: ActionLink.Act, for subject: Subject, in story: BrowserStory
    ) async throws -> String {
        let secret: ActionLinkSecret = CodeMint(drawingFrom: .system).secret()
        let now = story.server.clock.date
        let link = ActionLink(digest: secret.digest, to: act, for: subject, created: now, expires: now + 3600)
        try await story.server.change { try ActionLinks($0).add(link, by: .operator) }
        return secret.address(at: story.server.issuer)
    }

    private func type(_ password: String, in browser: Browser) async throws {
        try await browser.element("#new_password").type(password)
        try await browser.element("#new_password_again").type(password)
    }

    @Test func `sets a new password, and signs in with it`() async throws {
        try await BrowserStory.play(.desk) { story in
            let browser = story.browser
            let link = try await link(to: .passwordReset, for: JourneyPerson.anna.subject, in: story)
            try await browser.open(link)
            try await browser.wait(for: "the page of the link") { try await browser.heading() == "Set a new password" }
            try await browser.expect("Set a new password", in: BrowserOptions.all)
            #expect(try await !browser.address().contains("#"))
            #expect(try await browser.element("#username").property("value").string == "anna")
            try await type("dragon2024", in: browser)
            try await browser.press("Set the password")
            try await browser.expect("Set a new password", answering: 422, in: BrowserOptions.all)
            try await type(new, in: browser)
            try await browser.press("Set the password")
            try await browser.expect("Your new password counts from now on", in: BrowserOptions.all)
            try await story.open("/login")
            try await browser.signIn(as: .anna, password: new)
            try await browser.expect("Where you are signed in")

            try await browser.open(link)
            try await browser.wait(for: "the used link") { try await browser.heading() == "This link was used" }
            try await browser.expect("This link was used", answering: 410, in: BrowserOptions.all)
        }
    }

    @Test func `pastes it where no script runs`() async throws {
        try await BrowserStory.play(.phone.withoutScripts) { story in
            let browser = story.browser
            let link = try await link(to: .passwordReset, for: JourneyPerson.anna.subject, in: story)
            try await browser.open(link)
            try await browser.expect("Open your link", in: BrowserOptions.all)
            try await browser.element("#link").type(link)
            try await browser.press("Continue")
            try await browser.expect("Set a new password", in: BrowserOptions.all)
            try await type(new, in: browser)
            try await browser.press("Set the password")
            try await browser.expect("Your new password counts from now on")
        }
    }

    @Test func `creates an account by an invitation`() async throws {
        try await BrowserStory.play(.phone) { story in
            let browser = story.browser
            let link = try await link(
                to: .invitation(EmailAddress(rawValue: "carla@example.org")), for: Subject("subject-of-carla"),
                in: story)
            try await browser.open(link)
            try await browser.wait(for: "the invitation") { try await browser.heading() == "Create your account" }
            try await browser.expect("Create your account", in: BrowserOptions.all)
            #expect(try await browser.element("#username").property("value").string == "carla@example.org")
            try await browser.element("#name").type("Carla Example")
            try await type(new, in: browser)
            try await browser.press("Create the account")
            try await browser.expect("Where you are signed in")
            #expect(try await browser.text().contains("Carla Example"))
        }
    }

    @Test func `finds the ways to a new password on the sign-in page`() async throws {
        try await BrowserStory.play(.phone.withoutScripts) { story in
            let browser = story.browser
            try await story.open("/login")
            try await browser.press("Forgot your password?")
            try await browser.expect("Forgot your password?", in: BrowserOptions.all)
            try await browser.element("#person_code").type("0000 0000")
            try await browser.press("Continue")
            try await browser.expect("Forgot your password?", answering: 422, in: BrowserOptions.all)
        }
    }
}
