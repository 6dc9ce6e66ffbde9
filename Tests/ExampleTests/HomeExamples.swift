import CountersignHome
import Testing

/// The examples about homes.
@Suite("The examples about homes")
struct HomeExamples {
    @Test func `sign a screen in`() async throws {
        let home = try await Home(seed: 7)
        let tv = await home.tv("Living room")
        let signIn = try await home.ask(at: tv)
        try await home.approve(signIn, as: .anna)
        let outcome = try await home.outcome(of: signIn)  // .signedIn(.anna)

        #expect(outcome == .signedIn(.anna))
    }

    @Test func `play a schedule`() async throws {
        let home = try await Home(seed: 7)

        let report = try await home.run(HomeSchedule(seed: 7))
        if let fault = report.fault { Issue.record("\(fault)") }
    }

    @Test func `play many schedules`() async throws {
        let campaign = HomeCampaign(seeds: 1..<21)
        if let failure = try await campaign.run() { Issue.record("\(failure)") }
    }
}
