import Testing

@testable import CountersignHome

/// Each way in by its own stories: undisturbed, on a network that works.
@Suite("A way in")
struct HomeWaysTests {
    /// The events of a story, with other choices for each number.
    private static func schedule(_ story: [String], choosing number: UInt64) -> HomeSchedule {
        let events = story.enumerated().map { place, act in
            HomeEvent(after: 3, act, choosing: HomeChoice.number(of: 0, number * 1_000 + UInt64(place)))
        }
        return HomeSchedule(seed: number, events: events)
    }

    /// Plays stories with ever other choices, until each of the lists of words stands in one trace.
    private func play(_ stories: [[String]], until expected: [[String]]) async throws {
        let ground = try await HomeGround.settle()
        var missing = expected
        var number: UInt64 = 0
        while !missing.isEmpty || number < 6, number < 300 {
            number += 1
            for story in stories {
                let report = try await HomeCampaign.report(of: Self.schedule(story, choosing: number), on: ground)
                let trace = report.trace.joined(separator: "\n")
                try #require(report.fault == nil, "\(trace)")
                missing.removeAll { words in words.allSatisfy { trace.contains($0) } }
            }
        }
        #expect(missing.isEmpty)
    }

    @Test func `by the browser of the screen's own device brings back the link that redeems the approval`() async throws
    {
        try await play(
            ScreenBrowserWay.stories,
            until: [
                ["browser 0 gets a link", "browser 0 shows signed in as"],
                ["browser 0 gets access_denied", "browser 0 shows denied"],
                ["is closed on its way back", "browser 0 shows expired"],
                ["phone of anna shows approved", "browser 0 shows signed in as anna"],
                ["nobody listens on the device of the browser", "browser 0 shows expired"],
            ])
    }

    @Test func `by the address of an attacker's screen gives the attacker nothing`() async throws {
        let visit = CodeWay.page + ["person.goesOn", "person.goesOn", "screen.goesOn", "screen.goesOn"]
        let ground = try await HomeGround.settle()
        var approvals = 0
        for number in UInt64(1)..<20 {
            for story in [
                ["attacker.asksForBrowser", "attacker.forwardsBrowser"] + visit,
                ["tv.asksForBrowser", "attacker.asksForBrowser", "attacker.forwardsToApp"] + PhoneActs.decision
                    + ["screen.goesOn", "screen.goesOn"],
            ] {
                let report = try await HomeCampaign.report(of: Self.schedule(story, choosing: number), on: ground)
                let trace = report.trace.joined()

                #expect(report.fault == nil)
                #expect(!trace.contains("shows signed in as"))
                if trace.contains("shows approved") || trace.contains("approves") { approvals += 1 }
            }
        }
        // Their people approved, and what they gave went to nobody.
        #expect(approvals > 10)
    }

    @Test func `by the provider's own app on the screen's device brings back the link that redeems the approval`()
        async throws
    {
        try await play(
            ProviderAppWay.stories,
            until: [
                ["phone of anna shows approved; browser 0 gets a link", "browser 0 shows signed in as anna"],
                ["phone of anna shows denied; browser 0 gets access_denied", "browser 0 shows denied"],
                [
                    "phone of anna shows approved; browser 0 gets a link", "anna approves",
                    "browser 0 shows signed in as anna",
                ],
                ["again: the phone of anna shows approved; browser 0 gets a link"],
                [
                    "bert approves", "the app of anna leaves the page to the browser",
                    "browser 0 shows signed in as bert",
                ],
                ["phone of anna shows approved; browser 0 gets a link", "the phone of anna shows undone"],
                [
                    "attacker's address of browser 0 in the app", "nobody listens on the device",
                    "browser 0 shows expired",
                ],
            ])
    }

    @Test func `by a push to a remembered person takes the number of the screen`() async throws {
        try await play(
            RememberedPersonWay.stories,
            until: [
                ["phone of anna shows approved", "push 0 shows signed in as anna"],
                ["decision of anna is refused"],
                ["anna looks", "push 0 shows signed in as anna"],
                ["bert types the code of push 0", "push 0 shows signed in as bert"],
            ])
    }

    @Test func `by a phone signs a browser in at the sign-in page`() async throws {
        try await play(
            BrowserSignInWay.stories,
            until: [
                ["types the code of kiosk 0", "kiosk 0 shows signed in as anna"],
                ["opens the link of kiosk 0", "kiosk 0 shows signed in as anna"],
                ["kiosk 0 asks anna", "kiosk 0 shows signed in as anna"],
                ["kiosk 0 shows denied"],
                ["kiosk 0 shows cancelled"],
                ["opens the attacker's link of kiosk 0", "kiosk 0 shows expired"],
            ])
    }

    @Test func `by a code of the phone signs in the person who typed it`() async throws {
        try await play(
            PersonCodeWay.stories,
            until: [
                ["person code 0 shows signed in as anna"],
                ["the attacker types a code", "person code 0 shows signed in as anna"],
                ["the code of anna starts nothing"],
            ])
    }

    @Test func `ends where the screen gives up, and a person who held the request is told so`() async throws {
        try await play(
            GivingUpActs.stories,
            until: [
                ["code 0 shows cancelled", "POST /activate/decision: 410"],
                ["phone of anna shows approved", "back channel 0 shows cancelled"],
                ["the phone of anna looks", "code 0 shows cancelled", "decision of anna is refused"],
            ])
    }

    @Test func `after a restart asks anew, or goes on where it stood`() async throws {
        try await play(
            RestartActs.stories + BrowserSignInWay.stories,
            until: [
                ["code 0 is killed", "code 1 shows signed in as anna"],
                ["phone of anna shows approved", "back channel 0 polls on", "back channel 0 shows signed in as anna"],
                ["the phone of anna starts again", "again: the phone of anna shows approved"],
                ["kiosk 0 starts again", "kiosk 0 shows signed in as anna"],
                ["kiosk 0 starts again without cookies"],
            ])
    }

    @Test func `ends by an undo on the phone, on the pages, or at the screen`() async throws {
        try await play(
            UndoActs.stories,
            until: [
                ["phone of anna shows undone", "code 0 shows denied"],
                [
                    "back channel 0 shows signed in as anna", "phone of anna shows undone",
                    "back channel 0 is signed out",
                ],
                ["code 0 shows signed in as anna", "anna sends /account/undo", "code 0 is signed out"],
                ["code 0 signs out", "phone of anna shows nothing"],
                ["kiosk 0 shows signed in as anna", "phone of anna shows undone"],
            ])
    }

    @Test func `that demands more gives tokens for it alone`() async throws {
        try await play(
            StepUpWay.stories,
            until: [
                ["demands urn:countersign:acr:number", "step-up 1 shows signed in as anna"],
                ["demands urn:countersign:acr:device-key", "step-up 1 shows signed in as anna"],
                ["demands urn:countersign:acr:nearby", "step-up 1 shows signed in as anna"],
                ["phone of anna shows approved", "back channel 0 shows signed in as anna"],
            ])
    }

    @Test func `by a stolen ID token rings the phone, and gives the attacker nothing`() async throws {
        let ground = try await HomeGround.settle()
        var rings = 0
        for number in UInt64(1)..<20 {
            for story in StolenHintActs.stories {
                let report = try await HomeCampaign.report(of: Self.schedule(story, choosing: number), on: ground)
                let trace = report.trace.joined()

                #expect(report.fault == nil)
                // One number of a hundred is right by chance, which the person could have read nowhere.
                #expect(try !trace.contains(Regex("stolen hint [0-9]+ shows signed in")))
                if trace.contains("lists 1") { rings += 1 }
            }
        }
        #expect(rings > 0)
    }

    @Test func `by a code of a person stands few guesses`() async throws {
        try await play(
            [["attacker.guessesManyPersonCodes"], ["phone.wantsCode", "tv.asksByPersonCode"]],
            until: [["the attacker guesses"], ["the phone of anna shows a code", "person code 0 asks anna"]])
    }
}
