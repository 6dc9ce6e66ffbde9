import Countersign
import CountersignTesting
import Testing

import FoundationEssentialsCompat

@Suite("A time source")
struct TimeSourceTests {
    private let manual = ManualClock()

    @Test func `reads the date and the instant of a clock`() {
        let clock = manual.source
        let before = clock.moment()
        manual.advance(by: .seconds(5))
        #expect(clock.now() == before.date + 5)
        #expect(clock.instant() == before.instant + .seconds(5))
        #expect(clock.moment() == Moment(instant: clock.instant(), date: clock.now()))
    }

    @Test func `sleeps for a span of the running clock, whatever is done to the date`() async throws {
        let clock = manual.source
        let sleeper = Task { try await clock.sleep(for: .seconds(5)) }
        await manual.sleepers()
        manual.setDate(manual.date + 3600)
        #expect(manual.sleeping == 1)
        manual.advance(by: .seconds(5))
        try await sleeper.value
    }

    @Test func `does not wait for an instant that has passed`() async throws {
        let clock = TimeSource.system
        try await clock.sleep(until: clock.instant() - .seconds(1))
        try await clock.sleep(for: .zero)
    }

    @Test func `stops sleeping when its task is cancelled`() async {
        let clock = TimeSource.system
        let sleeper = Task { try await clock.sleep(for: .seconds(3600)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
