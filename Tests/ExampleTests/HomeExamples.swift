import Countersign
import CountersignHome
import CountersignRequester
import CountersignTesting
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

    @Test func `sign an app in`() async throws {
        let home = try await Home(seed: 7)
        let tv = await home.tv("Living room")
        let random = SeededRandom(seed: 7).source
        let context = RequesterContext(over: home.transport(of: tv), clock: home.clock.source, random: random)
        let scope = Scope([.offlineAccess])
        for try await event in SignIn(at: home.issuer, as: "tv", for: scope, on: SignInScreen(), in: context) {
            guard case .invitation(let invitation) = event, let code = invitation.userCode else { continue }
            try await home.approve(home.signIn(showing: code), as: .anna)
            await home.clock.sleepers()
            home.clock.advance(by: .seconds(5))
        }

        #expect(await home.fault == nil)
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
