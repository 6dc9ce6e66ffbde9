import Countersign
import CountersignServer
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import Testing

/// The pages beside the authenticator, on a phone and a desk, by day and by night.
@Suite("The number of a request and the code of a site, in a browser", .timeLimit(.minutes(10)))
struct NumbersInBrowserTests {
    private let all = BrowserOptions.all

    @Test func `is typed on the page of a request over the back channel, and asked for again when it is wrong`()
        async throws
    {
        try await BrowserStory.play { story in
            let number = try await askedNumber(in: story)
            let browser = story.browser
            try await browser.expect("Approve this sign-in?", in: all)
            try await browser.element("#number").type(number == "00" ? "01" : "00")
            try await browser.press("Approve")
            try await browser.expect("Approve this sign-in?", in: all)
            #expect(try await browser.text().contains("That is not the number"))
            try await browser.element("#number").type(number)
            try await browser.press("Approve")
            try await browser.expect("Approved", in: all)
        }
    }

    /// Enter in the field presses the first button of its form.
    @Test(arguments: [BrowserOptions.desk, .phone.withoutScripts])
    func `approves with Enter, where the right number was typed`(look: BrowserOptions) async throws {
        try await BrowserStory.play(look) { story in
            let number = try await askedNumber(in: story)
            let browser = story.browser
            try await browser.element("#number").type(number == "00" ? "01" : "00")
            try await browser.leaving { try await browser.press(.enter) }
            try await browser.expect("Approve this sign-in?")
            #expect(try await browser.text().contains("That is not the number"))
            try await browser.element("#number").type(number)
            try await browser.leaving { try await browser.press(.enter) }
            try await browser.expect("Approved")
        }
    }

    /// Asks over the back channel, opens the question in the browser, and returns the number that has to be typed.
    private func askedNumber(in story: BrowserStory) async throws -> String {
        try await story.visitAsSomebody()
        let asked = try await story.server.backendAsks(showingNumber: true)
        try await story.open("/account")
        try await story.browser.press("See what Backend asks")
        return try #require(asked.verificationNumber)
    }

    @Test func `is shown to a person who has no device in the site`() async throws {
        try await BrowserStory.play { story in
            let asked = try await JourneyCustomerSite.added(to: story.server).ask(by: "push")
            let browser = story.browser
            try await browser.open(try #require(asked.invitation))
            try await browser.expect("Add your phone to My Bank", in: all)
        }
    }
}
