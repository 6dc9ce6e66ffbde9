import Testing

@testable import CountersignHome

@Suite("A reduction of a schedule")
struct ScheduleReductionTests {
    private let schedule = HomeSchedule(seed: 1, events: (0..<37).map { HomeEvent(after: $0, "act") })

    @Test(arguments: [[5], [0, 36], [3, 4, 5, 20], Array(0..<37)])
    func `leaves the events alone that it takes to fail`(needed: [Int]) async throws {
        let reduction = ScheduleReduction { shorter in Set(needed).isSubset(of: shorter.events.map(\.wait)) }

        #expect(try await reduction.shortest(schedule).events.map(\.wait) == needed)
    }

    @Test func `leaves nothing of a schedule that fails in any case`() async throws {
        let reduction = ScheduleReduction { _ in true }

        #expect(try await reduction.shortest(schedule).events.isEmpty)
    }
}
