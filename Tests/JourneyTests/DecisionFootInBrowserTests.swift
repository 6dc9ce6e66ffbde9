import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// Standard: WCAG 2.2 §1.4.4, §1.4.10, §2.4.11.
@Suite("The answers to a request, in a browser", .timeLimit(.minutes(10)))
struct DecisionFootInBrowserTests {
    private static let sizes = [(360, 740), (390, 844), (1280, 720)]
    private static let languages = ["en", "de", "fr", "es"]

    /// Expects both answers, and the fields beside them, inside the window without scrolling, and not covered, in every
    /// language and size.
    ///
    /// - Parameters:
    ///   - answers: The number of answers on the page.
    ///   - fields: The number of fields for a person to fill.
    private func expectAnswersInView(
        _ story: BrowserStory,
        _ name: String,
        answers: Int = 2,
        fields: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let browser = story.browser
        for language in Self.languages {
            try await browser.preferLanguages(language)
            for (width, height) in Self.sizes {
                try await browser.look(BrowserOptions(width: width, height: height))
                try await browser.open(try await browser.address())
                let found = try await browser.run(
                    """
                    window.scrollTo(0, 0);
                    return [...document.querySelectorAll('button.choice, a.choice, #number, #session')].map((button) => {
                        const box = button.getBoundingClientRect();
                        const isSeen = [box.top + 2, box.bottom - 2].every((y) => {
                            const top = document.elementFromPoint(box.left + box.width / 2, y);
                            return top && button.contains(top);
                        });
                        return isSeen ? box.bottom : 100000;
                    });
                    """)
                let bottoms = (found.array ?? []).compactMap(\.number)
                let place = Comment(rawValue: "\(name), \(language), \(width) px: \(bottoms)")
                #expect(bottoms.count == answers + fields, place, sourceLocation: sourceLocation)
                #expect(bottoms.allSatisfy { $0 <= Double(height) }, place, sourceLocation: sourceLocation)
                #expect(try await browser.overflow() == [], place, sourceLocation: sourceLocation)
                try await expectFocusInView(browser, place, sourceLocation)
            }
        }
        try await browser.preferLanguages("en")
        try await browser.open(try await browser.address())
    }

    /// Expects no control that the Tab key reaches to be under the foot.
    private func expectFocusInView(
        _ browser: Browser,
        _ place: Comment,
        _ sourceLocation: SourceLocation
    ) async throws {
        try await browser.run("document.activeElement?.blur(); window.scrollTo(0, 0)")
        for _ in 0..<12 {
            try await browser.press(.tab)
            let isHidden = try await browser.run(
                """
                const focused = document.activeElement, foot = document.querySelector('.foot');
                if (!foot || focused === document.body || foot.contains(focused)) return false;
                const box = focused.getBoundingClientRect(), bar = foot.getBoundingClientRect();
                return bar.top < box.bottom - 1 && box.top < bar.bottom - 1;
                """)
            let name = try await browser.focused().label()
            #expect(isHidden == .bool(false), "\(place), \(name)", sourceLocation: sourceLocation)
        }
    }

    @Test func `are in view when the code was typed, and when it came by a link`() async throws {
        try await BrowserStory.play { story in
            let browser = story.browser
            let typed = try await story.screen.ask(for: Scope([.openid, .profile, .offlineAccess]))
            try await story.bringToDecision(typed)
            try await expectAnswersInView(story, "typed", fields: 1)
            let linked = try await story.screen.ask(calling: String(repeating: "W", count: 64))
            try await browser.open(try #require(linked.verificationURIComplete))
            try await expectAnswersInView(story, "arrival")
            try await browser.press("Continue")
            #expect(try await browser.has(".ticket"))
            try await expectAnswersInView(story, "link with a long name", fields: 1)
        }
    }

    @Test func `are in view with a delay and the words about a passkey`() async throws {
        let demands = ScopeDemands([.deliberate, .userVerified])
        try await BrowserStory.play(configuring: { $0.minimumEvidence = [.profile: demands] }) { story in
            try await story.bringToDecision(try await story.screen.ask())
            #expect(try await story.browser.text().contains("asskey"))
            // Without a passkey they can only deny.
            try await expectAnswersInView(story, "passkey", answers: 1)
        }
    }

    @Test func `are in view with a number and a delay`() async throws {
        let demands = ScopeDemands([.deliberate])
        try await BrowserStory.play(configuring: { $0.minimumEvidence = [.openid: demands] }) { story in
            try await story.server.change { repositories in
                var backend = try #require(try repositories.clients.find(JourneyParties.backend))
                backend.name = "A Name of an App That Is as Long as Names of Apps Are Allowed to Be Here"
                try repositories.clients.update(backend)
            }
            try await story.visitAsSomebody()
            _ = try await story.server.backendAsks(showingNumber: true)
            try await story.open("/account")
            try await story.browser.press(
                "See what A Name of an App That Is as Long as Names of Apps Are Allowed to Be Here asks")
            #expect(try await story.browser.has("#number"))
            try await expectAnswersInView(story, "number", fields: 1)
        }
    }

    @Test func `are in view with a number of the screen, which remembers the person, and the choice of a time`()
        async throws
    {
        let demands = ScopeDemands([.number])
        try await BrowserStory.play(configuring: { $0.minimumEvidence = [.profile: demands] }) { story in
            var screen = story.screen
            screen.showsNumbers = true
            let earlier = try await screen.ask(for: Scope([.openid]))
            try await story.bringToDecision(earlier)
            try await story.browser.element("#session option[value='remember']").click()
            try await story.browser.press("Approve")
            let codes = try await screen.ask(remembering: try await screen.poll(earlier).tokens)
            try await story.open("/activate")
            try await story.browser.enter(codes.userCode)
            #expect(try await story.browser.text().contains("This screen remembers you, whatever you choose."))
            try await expectAnswersInView(story, "remembered", fields: 2)
        }
    }

    @Test func `are in view when an app asks by way of the browser`() async throws {
        try await BrowserStory.play { story in
            try await story.visitAsSomebody()
            var request = AuthorizationRequest(
                client: JourneyParties.desktop,
                redirectURI: "http://127.0.0.1:4711/done",
                challenge: CodeChallenge(of: CodeVerifier(revealing: String(repeating: "v", count: 43)))
            )
            request.scope = Scope([.openid, .profile])
            try await story.browser.open("\(story.server.issuer)/authorize?\(request.form.encoded)")
            try await story.browser.expect("Approve this sign-in?")
            try await expectAnswersInView(story, "consent")
        }
    }

    /// A low window has no room for a foot that stays.
    @Test func `stay in the flow of the page at twice the size`() async throws {
        try await BrowserStory.play { story in
            try await story.bringToDecision(try await story.screen.ask())
            for (width, height) in [(640, 360), (320, 256)] {
                try await story.browser.look(BrowserOptions(width: width, height: height))
                let position = try await story.browser.run(
                    "return getComputedStyle(document.querySelector('.foot')).position")
                #expect(position == .string("static"))
                #expect(try await story.browser.overflow() == [])
            }
        }
    }
}
