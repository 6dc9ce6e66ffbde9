import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@Suite("A person with a browser, to whom a screen shows a code", .timeLimit(.minutes(10)))
struct UserCodeInBrowserTests {
    @Test(arguments: [BrowserOptions.deskAtNight, .phone.withoutScripts])
    func `types it, sees who asks, and approves`(look: BrowserOptions) async throws {
        try await BrowserStory.play(look) { story in
            let codes = try await story.screen.ask()
            let browser = story.browser

            try await browser.open(codes.verificationURI)
            try await browser.expect("Sign in")
            try await browser.signIn(as: .anna)
            try await browser.expect("Enter the code on your screen")
            try await browser.enter(codes.userCode)
            try await browser.expect("Approve this sign-in?")

            // A person who typed the code is not asked to compare it.
            #expect(try await !browser.has(".ticket"))
            #expect(try await !browser.text().contains("JourneyScreen/1.0"))
            try await browser.run("document.querySelector('details').open = true")
            let shown = try await browser.text()
            #expect(shown.contains("Living Room TV"))
            #expect(shown.contains("Anna’s big screen\nThe screen’s own words, not verified"))
            #expect(shown.contains("JourneyScreen/1.0\nThe screen’s own words, not verified"))
            #expect(shown.contains("127.0.0.1\nSeen by this server\nThe same address as yours now."))
            #expect(shown.contains("See your name"))
            #expect(try await story.screen.poll(codes) == .refused(.authorizationPending))

            try await browser.press("Approve")
            try await browser.expect("Approved")
            let tokens = try await story.screen.poll(codes).tokens
            // A lost answer is repeated until what it gave is used.
            #expect(try await story.screen.poll(codes).tokens == tokens)
            #expect(try await story.isActive(tokens))
            story.server.clock.advance(by: .seconds(10))
            #expect(try await story.screen.poll(codes) == .refused(.invalidGrant))
        }
    }

    @Test func `comes by its link, which does nothing by itself`() async throws {
        try await BrowserStory.play(.phoneAtNight.withoutScripts) { story in
            let codes = try await story.screen.ask()
            let browser = story.browser

            try await browser.open(try #require(codes.verificationURIComplete))
            try await browser.expect("Sign in")
            try await browser.signIn(as: .anna)
            try await browser.expect("Did you open this from your own screen?")
            #expect(try await !browser.text().contains(codes.userCode.rawValue))
            #expect(try await story.screen.poll(codes) == .refused(.authorizationPending))

            // Nobody has taken the request either: the page of the decision leads back here.
            try await story.open("/activate/confirm?user_code=\(codes.userCode)")
            try await browser.expect("Did you open this from your own screen?")

            try await browser.press("Continue")
            try await browser.expect("Approve this sign-in?")
            #expect(try await browser.element(".ticket").text().contains(codes.userCode.rawValue))
            try await browser.press("Approve")
            try await browser.expect("Approved")
            #expect(try await story.isActive(story.screen.poll(codes).tokens))
        }
    }

    @Test func `comes by a link of somebody else’s, and leaves`() async throws {
        try await BrowserStory.play(.phone) { story in
            let codes = try await story.screen.ask()
            let browser = story.browser
            try await story.visitAsSomebody()
            try await browser.open(try #require(codes.verificationURIComplete))

            try await browser.press("This is not my screen")
            try await browser.expect("Enter the code on your screen")
            #expect(try await browser.text().contains("Nothing was approved"))
            #expect(try await story.screen.poll(codes) == .refused(.authorizationPending))
        }
    }

    @Test func `denies, and the screen gets nothing`() async throws {
        try await BrowserStory.play(.desk.withoutScripts) { story in
            let codes = try await story.screen.ask()
            try await story.bringToDecision(codes)
            try await story.browser.press("Deny")

            try await story.browser.expect("Denied")
            #expect(try await story.screen.poll(codes) == .refused(.accessDenied))
            try await story.open("/account")
            #expect(try await story.browser.text().contains("No screen is signed in as you."))
        }
    }

    @Test func `types it wrong, is told so, and tries again`() async throws {
        try await BrowserStory.play(.phone) { story in
            let codes = try await story.screen.ask()
            let browser = story.browser
            try await story.visitAsSomebody()

            try await browser.enter(UserCodeText("HELLO"))
            try await browser.expect("Enter the code on your screen", answering: 422)
            #expect(try await browser.element("#problem").text().contains("A code has eight letters"))
            #expect(try await browser.element("#user_code").property("value").string == "HELLO")

            let other = codes.userCode.rawValue.hasPrefix("B") ? "CCCC-CCCC" : "BBBB-BBBB"
            try await browser.enter(UserCodeText(other))
            try await browser.expect("Enter the code on your screen", answering: 422)
            #expect(try await browser.element("#problem").text().contains("That code doesn’t work."))

            let untidy = codes.userCode.rawValue.lowercased().replacing("-", with: " ")
            try await browser.enter(UserCodeText(untidy))
            try await browser.expect("Approve this sign-in?")
        }
    }

    @Test(arguments: ["Approve", "Deny"])
    func `decides when it is too late`(decision: String) async throws {
        try await BrowserStory.play(.phone.withoutScripts) { story in
            let codes = try await story.screen.ask()
            try await story.bringToDecision(codes)
            story.server.clock.advance(by: .seconds(codes.expiresIn))

            try await story.browser.press(decision)
            try await story.browser.expect("Too late", answering: 410)
            #expect(try await story.screen.poll(codes) == .refused(.expiredToken))
            try await story.browser.press("Enter another code")
            try await story.browser.enter(codes.userCode)
            try await story.browser.expect("Enter the code on your screen", answering: 422)
        }
    }

    @Test func `decides after two minutes, and has to compare the code again`() async throws {
        try await BrowserStory.play(.phone) { story in
            let codes = try await story.screen.ask()
            try await story.bringToDecision(codes)
            story.server.clock.advance(by: .seconds(120))

            try await story.browser.press("Approve")
            try await story.browser.expect("Did you open this from your own screen?")
            #expect(try await story.screen.poll(codes) == .refused(.authorizationPending))
            try await story.browser.press("Continue")
            try await story.browser.press("Approve")
            try await story.browser.expect("Approved")
        }
    }

    @Test(arguments: [("Approve", "Deny"), ("Deny", "Approve")])
    func `goes back after a decision, and changes nothing`(first: String, second: String) async throws {
        try await BrowserStory.play(.desk.withoutScripts) { story in
            let codes = try await story.screen.ask()
            let browser = story.browser
            try await story.bringToDecision(codes)
            let window = try await browser.duplicate(javaScript: false)
            try await browser.press(first)
            try await browser.back()
            if try await browser.offers(second) {
                try await browser.press(second)
            } else {
                // The browser asked again, and is shown the first answer.
                try await browser.expect(first == "Approve" ? "Approved" : "Denied")
            }

            // Another window still shows the question; the first answer stands.
            try await browser.turn(to: window)
            try await browser.press(second)
            try await browser.expect(first == "Approve" ? "Approved" : "Denied")
            if first == "Approve" {
                #expect(try await story.isActive(story.screen.poll(codes).tokens))
            } else {
                #expect(try await story.screen.poll(codes) == .refused(.accessDenied))
            }
        }
    }

    @Test func `is overtaken by somebody else, who then alone decides`() async throws {
        try await BrowserStory.play(.desk) { story in
            let codes = try await story.screen.ask()
            try await story.bringToDecision(codes, as: .anna)

            try await Browser.with(.phone) { other in
                try await story.bringToDecision(codes, as: .ben, in: other)
                try await story.browser.press("Approve")
                try await story.browser.expect("Did you open this from your own screen?")
                #expect(try await story.screen.poll(codes) == .refused(.authorizationPending))

                try await other.press("Approve")
                try await other.expect("Approved")
            }
            let tokens = try await story.screen.poll(codes).tokens
            #expect(try await story.isActive(tokens))
            try await story.open("/account")
            #expect(try await story.browser.text().contains("No screen is signed in as you."))
        }
    }
}
