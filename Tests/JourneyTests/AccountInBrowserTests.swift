import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("A person with a browser, who has approved", .timeLimit(.minutes(10)))
struct AccountInBrowserTests {
    @Test func `undoes it before the screen has picked it up`() async throws {
        try await BrowserStory.play(.phone) { story in
            let codes = try await approved(in: story)
            story.server.clock.advance(by: .seconds(59))

            try await story.browser.press("Undo")
            try await story.browser.expect("Where you are signed in")
            #expect(try await story.browser.text().contains("Your approval is taken back."))
            #expect(try await story.browser.text().contains("No screen is signed in as you."))
            #expect(try await story.screen.poll(codes) == .refused(.accessDenied))
        }
    }

    @Test func `undoes it after the screen was signed in, which ends its tokens`() async throws {
        try await BrowserStory.play(.phone) { story in
            let codes = try await approved(in: story)
            let tokens = try await story.screen.poll(codes).tokens
            #expect(try await story.isActive(tokens))
            story.server.clock.advance(by: .seconds(59))

            try await story.browser.press("Undo")
            try await story.browser.expect("Where you are signed in")
            #expect(try await story.browser.text().contains("Your approval is taken back."))
            #expect(try await !story.isActive(tokens))
            #expect(try await story.screen.refresh(tokens) == .refused(.invalidGrant))

            try await story.browser.back()
            try await story.browser.reload()
            try await story.browser.expect("Taken back")
        }
    }

    @Test func `finds the undo on the account page too`() async throws {
        try await BrowserStory.play(.phone) { story in
            let codes = try await approved(in: story)
            try await story.open("/account")
            try await story.browser.expect("Where you are signed in")
            #expect(try await story.browser.text().contains("Approved, not picked up yet"))

            let tokens = try await story.screen.poll(codes).tokens
            try await story.browser.reload()
            #expect(try await !story.browser.text().contains("Approved, not picked up yet"))
            try await story.browser.press("Undo the approval of Living Room TV Anna’s big screen")
            #expect(try await story.browser.text().contains("Your approval is taken back."))
            #expect(try await !story.isActive(tokens))
        }
    }

    @Test func `is too late to undo after a minute`() async throws {
        try await BrowserStory.play(.desk) { story in
            let codes = try await approved(in: story)
            let tokens = try await story.screen.poll(codes).tokens
            let browser = story.browser
            let other = try await browser.duplicate()
            story.server.clock.advance(by: .seconds(60))

            try await browser.reload()
            try await browser.expect("Approved")
            #expect(try await !browser.offers("Undo"))
            // A page that was open before notices by itself.
            try await browser.turn(to: other)
            while try await browser.offers("Undo") { try await Task.sleep(for: .milliseconds(50)) }
            #expect(try await story.isActive(tokens))
        }
    }

    @Test func `signs a screen out, and no other`() async throws {
        try await BrowserStory.play(.desk.withoutScripts) { story in
            let first = try await story.screen.poll(approved(in: story)).tokens
            let codes = try await story.screen.ask(calling: "Bedroom")
            try await story.open("/activate")
            try await story.browser.enter(codes.userCode)
            try await story.browser.press("Approve")
            let second = try await story.screen.poll(codes).tokens
            story.server.clock.advance(by: .seconds(90))

            try await story.browser.press("See where you are signed in")
            try await story.browser.expect("Where you are signed in")
            try await story.browser.press("Sign out Living Room TV Bedroom")
            try await story.browser.expect("Where you are signed in")
            #expect(try await story.browser.text().contains("That screen is signed out."))
            #expect(try await !story.browser.offers("Sign out Living Room TV Bedroom"))
            #expect(try await story.browser.offers("Sign out Living Room TV Anna’s big screen"))
            #expect(try await !story.isActive(second))
            #expect(try await story.screen.refresh(second) == .refused(.invalidGrant))
            #expect(try await story.isActive(first))
        }
    }

    @Test func `reads times in the zone of the browser, or in one of their choice`() async throws {
        try await BrowserStory.play(.desk.withoutScripts) { story in
            _ = try await story.screen.poll(approved(in: story)).tokens
            try await story.open("/account")
            #expect(namesUTC(try await story.browser.text()))
        }
        try await BrowserStory.play(.phone) { story in
            let browser = story.browser
            _ = try await story.screen.poll(approved(in: story)).tokens
            try await story.open("/account")
            let text = try await browser.text()
            #expect(!namesUTC(text) && text.contains("just now, "))
            try await browser.press("Choose a time zone")
            try await browser.expect("Your time zone")
            try await browser.run("document.querySelector('#zone').value = 'Asia/Tokyo'")
            try await browser.press("Save")
            try await browser.expect("Where you are signed in")
            #expect(try await browser.text().contains("Times are shown in Asia/Tokyo."))
            #expect(!namesUTC(try await browser.text()))
        }
    }

    @Test func `leaves the browser, and the screen stays signed in`() async throws {
        try await BrowserStory.play(.phone) { story in
            let tokens = try await story.screen.poll(approved(in: story)).tokens
            try await story.open("/account")
            let cookie = try #require(try await story.browser.cookies().first)
            try await story.browser.press("Sign out of this browser")
            try await story.browser.expect("Sign in")
            #expect(try await story.isActive(tokens))

            // A copy of the cookie is worth nothing.
            try await story.browser.setCookie(cookie.name, to: cookie.value)
            try await story.open("/account")
            #expect(try await story.browser.heading() == "Sign in")
        }
    }

    /// A request that Anna has approved just now; the browser shows so.
    /// Whether a time stands in UTC in a text.
    private func namesUTC(_ text: String) -> Bool { text.contains(#/\d\d:\d\d UTC/#) }

    private func approved(in story: BrowserStory) async throws -> DeviceAuthorizationResponse {
        let codes = try await story.screen.ask()
        try await story.bringToDecision(codes)
        try await story.browser.press("Approve")
        try await story.browser.expect("Approved")
        return codes
    }
}
