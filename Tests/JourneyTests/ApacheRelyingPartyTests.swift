import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// Apache reads the machine's clock, so that the server's begins there.
@Suite("A site of Apache with mod_auth_openidc, in a browser", .timeLimit(.minutes(10)))
struct ApacheRelyingPartyTests {
    @Test func `signs a person in by PKCE, knows who it is, and signs them out at the server`() async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            try await Apache.with(at: story.server) { site in
                let browser = story.browser
                try await browser.open("\(site)/members/index.shtml")
                try await browser.expect("Sign in")
                try await browser.signIn(as: .anna)
                try await browser.expect("Approve this sign-in?")
                #expect(try await browser.text().contains("Members’ site"))
                try await browser.press("Approve")
                try await browser.wait(for: "the members’ page") {
                    try await browser.address() == "\(site)/members/index.shtml"
                }
                #expect(try await browser.text().contains("You are anna, Anna Example."))

                // Signing out there offers to sign out here, and comes back.
                try await browser.press("Sign out")
                try await browser.expect("Sign out here, too?")
                try await browser.press("Sign out")
                try await browser.wait(for: "the page after it") {
                    try await browser.address() == "\(site)/bye.html"
                }
                try await browser.open("\(site)/members/index.shtml")
                try await browser.expect("Sign in")
            }
        }
    }

    @Test func `hears that the person denied`() async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            try await story.visitAsSomebody()
            try await Apache.with(at: story.server) { site in
                try await story.browser.open("\(site)/members/index.shtml")
                try await story.browser.press("Deny")
                try await story.browser.wait(for: "the site’s own page") {
                    try await story.browser.address().hasPrefix("\(site)/members/done?")
                }
                #expect(try await story.browser.address().contains("error=access_denied"))
            }
        }
    }

    @Test func `is told over the back channel that the person signed out at the server`() async throws {
        try await BrowserStory.play(clock: ManualClock(Date())) { story in
            let browser = story.browser
            try await story.visitAsSomebody()
            try await Apache.with(at: story.server) { site in
                try await browser.open("\(site)/members/index.shtml")
                try await browser.press("Approve")
                #expect(try await browser.text().contains("You are anna"))

                try await story.open("/account")
                try await browser.press("Sign out of this browser")
                story.server.clock.advance(by: .seconds(1))
                // The site's own session has ended, so that it sends the person to sign in.
                try await browser.wait(for: "the sign-in at the server") {
                    try await browser.open("\(site)/members/index.shtml")
                    return try await !browser.text().contains("You are anna")
                }
                try await browser.expect("Sign in")
            }
        }
    }
}
