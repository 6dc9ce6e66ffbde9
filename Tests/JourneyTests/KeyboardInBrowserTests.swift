import Countersign
import CountersignWire
import Foundation
import Testing

@Suite("A person with a keyboard alone", .timeLimit(.minutes(10)))
struct KeyboardInBrowserTests {
    private let frame = ["Countersign", "Not you? Sign out of this browser"]

    @Test(arguments: [(BrowserOptions.desk, "Approve"), (.phone.withoutScripts, "Deny")])
    func `signs in, types the code and decides`(look: BrowserOptions, decision: String) async throws {
        try await BrowserStory.play(look) { story in
            let codes = try await story.screen.ask()
            let browser = story.browser

            try await browser.open(codes.verificationURI)
            // At an address the page says where passkeys work.
            let order = [
                "Countersign", "Username or e-mail address", "Password", "Sign in", "Forgot your password?",
                "localhost", "Sign in with your phone", "Code from your phone", "Continue",
            ]
            #expect(try await browser.tabOrder() == order)
            try await reach("Username or e-mail address", in: browser)
            try await browser.focused().type(JourneyPerson.anna.username)
            try await browser.press(.tab)
            try await browser.focused().type(JourneyPerson.anna.password)
            try await browser.leaving { try await browser.press(.enter) }

            try await browser.expect("Enter the code on your screen")
            #expect(
                try await browser.tabOrder() == frame + ["Code", "Continue", "Show a code to type on the screen"])
            try await reach("Code", in: browser)
            try await browser.focused().type(codes.userCode.rawValue)
            try await browser.leaving { try await browser.press(.enter) }

            try await browser.expect("Approve this sign-in?")
            #expect(
                try await browser.tabOrder() == frame + ["More about the request", "Stay signed in", "Deny", "Approve"])
            try await reach(decision, in: browser)
            #expect(try await showsFocus(browser))
            try await browser.leaving { try await browser.press(.enter) }
            try await browser.expect(decision == "Approve" ? "Approved" : "Denied")
        }
    }

    @Test func `comes by the link, undoes, and signs a screen out`() async throws {
        try await BrowserStory.play(.phone) { story in
            let browser = story.browser
            try await story.visitAsSomebody()
            let codes = try await story.screen.ask()
            try await browser.open(try #require(codes.verificationURIComplete))
            #expect(try await browser.tabOrder() == frame + ["This is not my screen", "Continue"])
            try await reach("Continue", in: browser)
            try await browser.leaving { try await browser.press(.enter) }
            try await browser.expect("Approve this sign-in?")

            try await reach("Approve", in: browser)
            try await browser.leaving { try await browser.press(.space) }
            try await browser.expect("Approved")
            #expect(try await browser.tabOrder() == frame + ["Undo", "What happened?", "See where you are signed in"])
            let tokens = try await story.screen.poll(codes).tokens

            try await reach("See where you are signed in", in: browser)
            try await browser.leaving { try await browser.press(.enter) }
            try await browser.expect("Where you are signed in")
            let tv = "Living Room TV Anna’s big screen"
            #expect(
                try await browser.tabOrder()
                    == frame + [
                        "Code on your screen", "Continue", "Show a code to type on the screen",
                        "Undo the approval of \(tv)", "What happened? \(tv)", "Sign out \(tv)",
                        "Add an authenticator", "Change your password", "localhost", "Set up one-time passwords",
                        "What happened? Living Room TV", "Choose a time zone", "Notify me here",
                        "Sign out of this browser",
                        "Download your data", "Delete my account",
                    ]
            )
            try await reach("Sign out \(tv)", in: browser)
            try await browser.leaving { try await browser.press(.enter) }
            #expect(try await !browser.offers("Sign out \(tv)"))
            #expect(try await !story.isActive(tokens))
        }
    }

    @Test func `finds somebody as an administrator, thinks better of a lock, and locks them`() async throws {
        try await BrowserStory.play(.largePhone.withoutScripts) { story in
            let browser = story.browser
            try await story.promote(.anna)
            try await story.visitAsSomebody()
            try await story.proveTwoFactors(as: .anna)
            try await story.open("/admin")
            try await browser.expect("People")
            try await reach("User name, e-mail address or name", in: browser)
            try await browser.focused().type(JourneyPerson.ben.username)
            try await browser.leaving { try await browser.press(.enter) }
            try await browser.expect("People")
            try await reach("Ben Example", in: browser)
            #expect(try await showsFocus(browser))
            try await browser.leaving { try await browser.press(.enter) }
            try await browser.expect("Ben Example")

            for answer in ["Cancel", "Lock"] {
                try await reach("Lock", in: browser)
                try await browser.leaving { try await browser.press(.enter) }
                try await browser.expect("Lock this account?")
                #expect(try await browser.tabOrder() == frame + ["Cancel", "Lock"])
                try await reach(answer, in: browser)
                #expect(try await showsFocus(browser))
                try await browser.leaving { try await browser.press(.enter) }
                try await browser.expect("Ben Example")
                #expect(try await browser.has(".notice") == (answer == "Lock"))
            }
            #expect(try await browser.text().contains("The account is locked."))
        }
    }

    /// Goes to a control by the Tab key alone, from the page's top.
    private func reach(_ name: String, in browser: Browser) async throws {
        try await browser.run("document.activeElement?.blur(); window.scrollTo(0, 0)")
        for _ in 0..<30 {
            try await browser.press(.tab)
            if try await browser.focused().label() == name { return }
        }
        Issue.record("The Tab key does not reach “\(name)”.")
    }

    /// Whether a person sees where the focus is.
    private func showsFocus(_ browser: Browser) async throws -> Bool {
        let focused = try await browser.focused()
        let style = try await focused.css("outline-style")
        let width = try await focused.css("outline-width")
        return style == "solid" && width == "3px"
    }
}
