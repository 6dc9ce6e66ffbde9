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
        for number in UInt64(1)..<20 {
            let story = ["attacker.asksForBrowser", "attacker.forwardsBrowser"] + visit
            let report = try await HomeCampaign.report(of: Self.schedule(story, choosing: number), on: ground)

            #expect(report.fault == nil)
            #expect(!report.trace.joined().contains("shows signed in as"))
        }
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
}
