import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("A person who leaves", .timeLimit(.minutes(10)))
struct AccountDeletionInBrowserTests {
    @Test func `sees what is lost, is signed out, and can keep the account at the next sign-in`() async throws {
        try await BrowserStory.play(.phone.withoutScripts) { story in
            let browser = story.browser
            try await story.open("/account/export")
            try await browser.signIn(as: .anna)
            try await browser.expect("Download your data", in: BrowserOptions.all)
            try await story.open("/account/deletion")
            try await browser.expect("Delete my account", in: BrowserOptions.all)
            #expect(try await browser.text().contains("14 days"))
            try await browser.press("Delete my account")
            try await browser.expect("Your account will be removed", in: BrowserOptions.all)

            try await story.open("/account")
            try await browser.expect("Sign in")
            try await browser.signIn(as: .anna)
            try await browser.expect("Your account will be removed", in: BrowserOptions.all)
            try await story.open("/activate")
            #expect(try await browser.heading() != "Enter the code on your screen")
            try await story.open("/account")
            try await browser.expect("Your account will be removed")
            try await browser.press("Keep my account")
            try await browser.expect("Where you are signed in")
        }
    }
}
