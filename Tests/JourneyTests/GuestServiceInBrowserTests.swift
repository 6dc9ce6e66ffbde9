import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("A person with a browser, whom a program asks to act for them", .timeLimit(.minutes(10)))
struct GuestServiceInBrowserTests {
    @Test func `sees its purpose and end, shortens it, and ends it on the account page`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            let codes = try await ask(in: story, "backup on nas")
            try await story.bringToDecision(codes)
            try await browser.expect("Approve this sign-in?", in: BrowserOptions.all)
            let page = try await browser.text()
            #expect(page.contains("A program asks to act for you while you are away."))
            #expect(page.contains("backup on nas") && page.contains("Asks to act until"))
            try await browser.element("#session option[value='8h']").click()
            try await browser.press("Approve")
            try await browser.expect("Approved")
            let tokens = try await story.screen.poll(codes).tokens
            #expect(tokens.authorizationExpiresIn == 28_800)

            try await story.open("/account")
            try await browser.expect("Where you are signed in", in: BrowserOptions.all)
            let account = try await browser.text()
            #expect(account.contains("Services that act for you") && account.contains("backup on nas"))
            #expect(account.contains("No screen is signed in as you."))
            try await browser.press("End now backup on nas")
            try await browser.expect("Where you are signed in")
            #expect(try await browser.text().contains("That service can no longer act for you."))
            #expect(try await !browser.text().contains("Services that act for you"))
            #expect(try await !story.isActive(tokens))
            #expect(try await story.screen.refresh(tokens) == .refused(.invalidGrant))
        }
    }

    @Test func `finds that it ended by itself, and that signing out did not end it`() async throws {
        try await BrowserStory.play(.phone.withoutScripts) { story in
            let browser = story.browser
            let codes = try await ask(in: story, String(repeating: "W", count: GuestService.longestPurpose))
            try await story.bringToDecision(codes)
            try await browser.expect("Approve this sign-in?")
            try await browser.press("Approve")
            let tokens = try await story.screen.poll(codes).tokens
            try await story.open("/account")
            try await browser.expect("Where you are signed in")
            try await browser.press("Not you? Sign out of this browser")
            try await browser.press("Sign out of this browser")
            #expect(try await story.isActive(tokens))
            story.server.clock.advance(by: .seconds(86_400))
            #expect(try await !story.isActive(tokens))
            try await story.open("/login")
            try await browser.signIn(as: .anna)
            try await browser.expect("Where you are signed in")
            #expect(try await !browser.text().contains("Services that act for you"))
        }
    }

    /// A program asks to act for a day.
    private func ask(in story: BrowserStory, _ purpose: String) async throws -> DeviceAuthorizationResponse {
        try await story.screen.ask(
            calling: "nas", actingAs: GuestService(purpose: purpose, ends: story.server.clock.date + 86_400))
    }
}
