import Testing

@testable import CountersignHome

@Suite("A schedule")
struct HomeScheduleTests {
    @Test(arguments: [UInt64(1), 2, 3, 77, .max])
    func `has the same trace each time, byte for byte`(seed: UInt64) async throws {
        let schedule = HomeSchedule(seed: seed)
        let ground = try await HomeGround.settle()
        // Others come between the two runs on the same ground.
        let first = try await HomeCampaign.report(of: schedule, on: ground)
        _ = try await HomeCampaign.report(of: HomeSchedule(seed: seed / 2), on: ground)
        let again = try await HomeCampaign.report(of: schedule, on: ground)
        let elsewhere = try await Home(seed: seed).run(schedule)

        #expect(first.fault == nil)
        #expect(first.trace == again.trace)
        #expect(first.trace == elsewhere.trace)
    }

    @Test func `is drawn from its seed alone`() {
        #expect(HomeSchedule(seed: 4) == HomeSchedule(seed: 4))
        #expect(HomeSchedule(seed: 4).events != HomeSchedule(seed: 5).events)
    }

    @Test func `tells every story, and has every act and every failure of the network at some time`() {
        let events = (UInt64(0)..<2_000).flatMap { HomeSchedule(seed: $0).events }

        #expect(Set(events.map(\.act)) == Set(Home.acts.map(\.name)))
        #expect(Set(events.map(\.fate)) == Set(HomeFate.allCases))
        #expect(Home.stories.joined().allSatisfy { name in Home.acts.contains { $0.name == name } })
    }

    @Test func `is a schedule without some of its events`() async throws {
        var schedule = HomeSchedule(seed: 9)
        let ground = try await HomeGround.settle()
        while !schedule.events.isEmpty {
            schedule.events.remove(at: schedule.events.count / 2)
            #expect(try await HomeCampaign.report(of: schedule, on: ground).fault == nil)
        }
    }
}
