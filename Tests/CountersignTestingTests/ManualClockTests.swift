import CountersignTesting
import Testing

import FoundationEssentialsCompat

@Suite("A manual clock")
struct ManualClockTests {
    let clock = ManualClock()

    @Test func `moves date and instant together`() {
        let (date, instant) = (clock.date, clock.instant)
        clock.advance(by: .seconds(90))
        #expect(clock.date == date + 90)
        #expect(clock.instant == instant + .seconds(90))
    }

    @Test func `sets the date alone`() {
        let instant = clock.instant
        clock.setDate(clock.date + 86_400)
        #expect(clock.instant == instant)
    }

    @Test func `wakes who has slept long enough, and nobody else`() async throws {
        let short = Task { try await clock.sleep(for: .seconds(5)) }
        let long = Task { try await clock.sleep(for: .seconds(10)) }
        await clock.sleepers(2)

        clock.advance(by: .seconds(4))
        #expect(clock.sleeping == 2)
        clock.advance(by: .seconds(1))
        try await short.value
        #expect(clock.sleeping == 1)
        clock.advance(by: .seconds(5))
        try await long.value
    }

    @Test func `lets a sleeper go at once when its task is cancelled`() async {
        let sleeper = Task { try await clock.sleep(for: .seconds(5)) }
        await clock.sleepers()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeping == 0)
    }

    @Test func `lets nobody sleep whose task is cancelled already`() async {
        let sleeper = Task {
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(for: .seconds(5))
        }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func `does not sleep until an instant that has passed`() async throws {
        try await clock.sleep(for: .zero)
        try await clock.sleep(until: clock.instant - .seconds(1))
    }
}

@Suite("A seeded random source")
struct SeededRandomTests {
    @Test func `repeats itself for the same seed`() {
        #expect(SeededRandom(seed: 7).bytes(100) == SeededRandom(seed: 7).bytes(100))
        #expect(SeededRandom(seed: 7).bytes(100) != SeededRandom(seed: 8).bytes(100))
    }

    @Test func `gives the numbers of SplitMix64`() {
        // The first output for seed 0 is 0xE220A8397B1DCDAF, as in the reference implementation.
        #expect(SeededRandom(seed: 0).bytes(8) == [0xAF, 0xCD, 0x1D, 0x7B, 0x39, 0xA8, 0x20, 0xE2])
    }
}
