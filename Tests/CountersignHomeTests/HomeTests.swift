import CountersignHome
import Testing

@Suite("A home")
struct HomeTests {
    @Test func `signs a screen in whose code a person types`() async throws {
        let home = try await Home(seed: 1)
        let signIn = try await home.ask(at: await home.tv("Living room"))

        try await home.approve(signIn, as: .anna)

        #expect(try await home.outcome(of: signIn) == .signedIn(.anna))
    }

    @Test func `signs a screen in that a phone nearby approves`() async throws {
        let home = try await Home(seed: 2)
        let signIn = try await home.ask(at: await home.tv("Kitchen"))

        try await home.approve(signIn, on: await home.phone(of: .bert))

        #expect(try await home.outcome(of: signIn) == .signedIn(.bert))
    }

    @Test func `tells a screen that a person denied`() async throws {
        let home = try await Home(seed: 3)
        let signIn = try await home.ask(at: await home.tv("Living room"))

        try await home.deny(signIn, as: .anna)

        #expect(try await home.outcome(of: signIn) == .denied)
    }

    @Test func `lets a code expire that nobody answers`() async throws {
        let home = try await Home(seed: 4)
        let signIn = try await home.ask(at: await home.tv("Living room"))

        #expect(try await home.outcome(of: signIn) == .expired)
    }

    @Test func `asks nobody any more once the screen gave up`() async throws {
        let home = try await Home(seed: 8)
        let signIn = try await home.ask(at: await home.tv("Living room"))

        try await home.giveUp(signIn)
        try await home.approve(signIn, as: .anna)

        #expect(try await home.outcome(of: signIn) == .cancelled)
    }

    @Test func `takes an approval back that a screen did not wait for`() async throws {
        let home = try await Home(seed: 9)
        let signIn = try await home.ask(at: await home.tv("Living room"))

        try await home.approve(signIn, as: .anna)
        try await home.giveUp(signIn)

        #expect(try await home.outcome(of: signIn) == .cancelled)
    }

    @Test func `keeps the first of two answers`() async throws {
        let home = try await Home(seed: 5)
        let signIn = try await home.ask(at: await home.tv("Living room"))

        try await home.deny(signIn, as: .anna)
        try await home.approve(signIn, as: .bert)

        #expect(try await home.outcome(of: signIn) == .denied)
    }

    @Test func `plays a schedule that is written down`() async throws {
        let home = try await Home(seed: 6)
        let events = ["tv.asks", "screen.asksPhoneNearby", "phone.looks", "phone.decides", "screen.goesOn"]
            .map { HomeEvent(after: 2, $0) }

        let report = try await home.run(HomeSchedule(seed: 6, events: events))

        #expect(report.fault == nil)
        #expect(report.trace.contains { $0.contains("code 0 shows signed in as") })
    }

    @Test func `refuses a schedule with an act that it does not know`() async throws {
        let home = try await Home(seed: 7)
        let schedule = HomeSchedule(seed: 7, events: [HomeEvent("cat.asks")])

        await #expect(throws: UnknownActError.self) { try await home.run(schedule) }
    }
}
