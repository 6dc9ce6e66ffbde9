import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("A person who signs in at a browser", .timeLimit(.minutes(10)))
struct LoginInBrowserTests {
    @Test func `mistypes the password, is told so, and gets where they wanted`() async throws {
        try await BrowserStory.play(.deskAtNight.withoutScripts) { story in
            let codes = try await story.screen.ask()
            let browser = story.browser
            try await browser.open(try #require(codes.verificationURIComplete))
            let before = try await browser.cookies()

            try await browser.signIn(as: .anna, password: "wrong")
            try await browser.expect("Sign in", answering: 403)
            #expect(try await browser.element("#problem").role() == "alert")
            #expect(try await browser.element("#username").property("value").string == "anna")
            #expect(try await browser.element("#password").property("value").string == "")
            #expect(try await browser.title() == "Problem: Sign in – Countersign")

            try await browser.signIn(as: .anna)
            try await browser.expect("Did you open this from your own screen?")
            // A cookie that was planted before is worth nothing afterwards.
            let all = try await browser.cookies()
            // The other one says only that the person signed in here before.
            let after = all.filter { !$0.name.contains("known") }
            #expect(all.count == 2)
            #expect(before.count == 1 && after.count == 1 && before.map(\.value) != after.map(\.value))
            #expect(after.first?.expiry != nil)
        }
    }

    @Test func `learns no more about a name that nobody has`() async throws {
        try await BrowserStory.play(.phone) { story in
            let browser = story.browser
            try await story.open("/login")
            try await browser.signIn(as: .anna, password: "wrong")
            let known = try await browser.element("#problem").text()
            try await browser.element("#username").clear()
            try await browser.element("#username").type("nobody")
            try await browser.element("#password").type("wrong")
            try await browser.press("Sign in")
            #expect(try await browser.element("#problem").text() == known)
        }
    }

    @Test func `is somebody else, and lets them in`() async throws {
        try await BrowserStory.play(.phone) { story in
            let codes = try await story.screen.ask()
            let browser = story.browser
            try await story.bringToDecision(codes, as: .anna)
            try await browser.press("Not you? Sign out of this browser")
            try await browser.expect("Sign out of this browser?")
            try await browser.press("Cancel")
            try await browser.expect("Approve this sign-in?")
            try await browser.press("Not you? Sign out of this browser")
            try await browser.press("Sign out of this browser")
            try await browser.expect("Sign in")

            try await story.bringToDecision(codes, as: .ben)
            #expect(try await browser.element(".who").text() == "Signed in as Ben Example")
            try await browser.press("Approve")
            try await browser.expect("Approved")
            #expect(try await story.isActive(story.screen.poll(codes).tokens))
        }
    }

    @Test func `has to do so again after half a day, and goes on where they were`() async throws {
        try await BrowserStory.play(.desk) { story in
            try await story.visitAsSomebody()
            story.server.clock.advance(by: .seconds(12 * 3600))
            try await story.open("/account")
            try await story.browser.expect("Sign in")
            try await story.browser.signIn(as: .anna)
            try await story.browser.expect("Where you are signed in")
        }
    }

    @Test func `was locked meanwhile, and cannot decide any more`() async throws {
        try await BrowserStory.play(.phone) { story in
            let codes = try await story.screen.ask()
            try await story.bringToDecision(codes)
            try await story.server.change { repositories in
                var anna = try #require(try repositories.people.find(JourneyPerson.anna.subject))
                anna.standing = .locked
                try repositories.people.update(anna)
            }

            try await story.browser.press("Approve")
            try await story.browser.expect("This form has expired", answering: 403)
            #expect(try await story.screen.poll(codes) == .refused(.authorizationPending))
            try await story.open("/login")
            try await story.browser.signIn(as: .anna)
            try await story.browser.expect("Sign in", answering: 403)
            #expect(try await story.browser.element("#problem").text().contains("This account is locked."))
        }
    }

    @Test func `is sent on to our own pages only`() async throws {
        try await BrowserStory.play(.desk) { story in
            for target in ["https://example.com/", "//example.com/activate", "/jwks", "/activate\\..\\..", "/logout"] {
                let escaped = try #require(target.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                try await story.open("/login?return_to=\(escaped)")
                try await story.browser.signIn(as: .anna)
                try await story.browser.expect("Where you are signed in")
                #expect(try await story.browser.address() == "\(story.server.issuer)/account", "\(target)")
                try await story.browser.press("Sign out of this browser")
                try await story.browser.expect("Sign in")
            }
        }
    }
}
