import CountersignNearby
import CountersignTesting
import Foundation
import Testing

@Suite("The clock of nearby links")
struct NearbyClockTests {
    @Test func `passes when a test says so`() async throws {
        let manual = ManualClock()
        let clock = manual.forNearby
        let (instant, date) = (clock.instant(), clock.date())
        manual.advance(by: .seconds(5))
        try await clock.sleep(instant + .seconds(5))
        #expect(clock.instant() == instant + .seconds(5))
        #expect(clock.date() == date.addingTimeInterval(5))
    }
}
