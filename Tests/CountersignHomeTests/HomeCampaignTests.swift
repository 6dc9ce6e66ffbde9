import CountersignServer
import NIOConcurrencyHelpers
import Testing

@testable import CountersignHome

@Suite("A campaign of schedules")
struct HomeCampaignTests {
    @Test func `finds nothing in the server as it is`() async throws {
        let done = NIOLockedValueBox(0)
        let failure = try await HomeCampaign(seeds: 1..<201).run { more in done.withLockedValue { $0 += more } }

        #expect(failure == nil)
        #expect(done.withLockedValue { $0 } == 200)
    }

    @Test func `reaches tokens on every way`() async throws {
        let ground = try await HomeGround.settle()
        var ways = Set([
            "code", "back channel", "shop", "ticket", "browser", "push", "kiosk", "person code", "step-up",
        ])
        var seed: UInt64 = 1
        while !ways.isEmpty, seed < 1_000 {
            let trace = try await HomeCampaign.report(of: HomeSchedule(seed: seed), on: ground).trace.joined()
            ways = try ways.filter { try !trace.contains(Regex("\($0) [0-9]+ shows signed in")) }
            seed += 1
        }

        #expect(ways.isEmpty)
    }

    @Test func `finds an attacker who reads the answers of the token endpoint`() async throws {
        var faults = PlantedFaults()
        faults.leaks = ["/token"]
        let failure = try #require(try await HomeCampaign(seeds: 1..<500, planting: faults).run())

        #expect(failure.fault.promise == .nothingStolen)
        // Ask, carry or open, go on, decide, and poll: no event of another story is left.
        #expect(failure.schedule.events.count <= 8)
        #expect(failure.description.contains("make home SEED=\(failure.seed)"))
    }

    /// Each fault of a store with the promises that it breaks: which one is seen first depends on the schedules that are
    /// played at the same time.
    private static let found: [(StoreFault, [HomeFault.Promise])] = [
        (.forgetsApprovals, [.oneDecision]), (.forgetsDenials, [.oneDecision, .ends]),
        (.forgetsCancellations, [.oneDecision]), (.forgetsRedemptions, [.oneFamily]), (.confusesPeople, [.decided]),
        (.forgetsEnds, [.timed]),
        (.forgetsNumbers, [.decided]), (.forgetsLocks, [.locked]), (.hidesApprovals, [.ends]),
        (.invertsApprovals, [.sameOutcome]), (.forgetsCounts, [.bounded]), (.rewritesAudit, [.audit]),
        (.isFull, [.server]),
    ]

    @Test(arguments: found) func `finds a faulty store by a shortest schedule`(
        fault: StoreFault, promises: [HomeFault.Promise]
    ) async throws {
        var faults = PlantedFaults()
        faults.store = { FaultyStore($0, fault) }
        let failure = try #require(try await HomeCampaign(seeds: 1..<500, planting: faults).run())

        #expect(promises.contains(failure.fault.promise))
        #expect(failure.schedule.events.count <= 10)
    }

    @Test func `can find each promise broken`() {
        // The attacker gets something in the test of the token endpoint whose answers they read.
        #expect(Set(Self.found.compactMap(\.1.first)).union([.nothingStolen]) == Set(HomeFault.Promise.allCases))
        #expect(Set(Self.found.map(\.0)) == Set(StoreFault.allCases))
    }

    @Test func `reports a shortest schedule that fails in the same way again`() async throws {
        var faults = PlantedFaults()
        faults.leaks = ["/token"]
        let failure = try #require(try await HomeCampaign(seeds: 1..<500, planting: faults).run())
        let ground = try await HomeGround.settle()

        let report = try await HomeCampaign.report(of: failure.schedule, on: ground, planting: faults)
        #expect(report.fault == failure.fault)
        #expect(report.trace == failure.trace)
        for place in failure.schedule.events.indices {
            var shorter = failure.schedule
            shorter.events.remove(at: place)
            let found = try await HomeCampaign.report(of: shorter, on: ground, planting: faults).fault
            #expect(found?.promise != failure.fault.promise)
        }
    }
}
