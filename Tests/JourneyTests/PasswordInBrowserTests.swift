import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("A person who changes their password", .timeLimit(.minutes(10)))
struct PasswordInBrowserTests {
    private let new = "seven slow snails"

    private func type(_ old: String, _ new: String, in browser: Browser) async throws {
        try await browser.element("#password").type(old)
        try await browser.element("#new_password").type(new)
        try await browser.element("#new_password_again").type(new)
        try await browser.press("Change the password")
    }

    @Test func `comes by their password manager, and signs in with the new one from then on`() async throws {
        try await BrowserStory.play(.phone.withoutScripts) { story in
            let browser = story.browser
            try await story.open("/.well-known/change-password")
            try await browser.signIn(as: .anna)
            try await browser.expect("Change your password", in: BrowserOptions.all)
            #expect(try await browser.element("#username").property("value").string == "anna")

            try await type(JourneyPerson.anna.password, "dragon2024", in: browser)
            try await browser.expect("Change your password", answering: 422, in: BrowserOptions.all)
            #expect(try await browser.element("#problem").role() == "alert")
            #expect(try await browser.element("#new_password").property("value").string == "")
            try await type("wrong password", new, in: browser)
            try await browser.expect("Change your password", answering: 403)
            #expect(try await browser.text().contains("Your current password is not right."))

            try await type(JourneyPerson.anna.password, new, in: browser)
            try await browser.expect("Where you are signed in", in: BrowserOptions.all)
            #expect(try await browser.text().contains("Your new password counts from now on."))
            try await browser.press("Sign out of this browser")
            try await browser.expect("Sign in")
            try await browser.signIn(as: .anna, password: new)
            try await browser.expect("Where you are signed in")
        }
    }

    @Test func `signs their other browsers out`() async throws {
        try await BrowserStory.play(.desk) { story in
            try await Browser.with(.phone) { other in
                try await story.visitAsSomebody(in: other)
                try await story.visitAsSomebody()
                try await story.open("/account/password")
                try await type(JourneyPerson.anna.password, new, in: story.browser)
                try await story.browser.expect("Where you are signed in")
                try await story.open("/account", in: other)
                try await other.expect("Sign in")
            }
        }
    }
}
