import Countersign
import CountersignTesting
import Foundation
import Testing

@testable import CountersignHTTP

@Suite("The waits for decisions", .timeLimit(.minutes(10)))
struct ChangeWaitersTests {
    let waits: ChangeWaiters
    let clock: ManualClock
    let timer: WaitTimer
    let one = Self.topic("one")
    let other = Self.topic("other")

    private var latest: ContinuousClock.Instant { clock.instant + .seconds(30) }

    init() {
        clock = ManualClock()
        timer = WaitTimer(clock.source)
        waits = ChangeWaiters(in: MemoryShare(room: 2 * MemoryCost.heldInTask), mostOfOne: 1, timer: timer)
    }

    private static func topic(_ request: String) -> AwaitedTopic { .signIn(SignInRequest.ID(request)) }

    @Test func `end with a step of their request`() async throws {
        let waiting = try #require(waits.begin(one, from: nil, presence: ClientPresence()))
        async let end = waiting.end(until: latest)
        await clock.sleepers(1)
        waits.finish(other)
        waits.finish(one)
        #expect(await end == .changed)
        #expect(clock.sleeping == 0)
    }

    @Test func `end with a step that came before the waiting began`() async throws {
        let waiting = try #require(waits.begin(one, from: nil, presence: ClientPresence()))
        waits.finish(one)
        #expect(await waiting.end(until: latest) == .changed)
    }

    @Test func `end when anything may have changed`() async throws {
        let waits = ChangeWaiters(
            in: MemoryShare(room: 9 * MemoryCost.heldInTask), mostOfOne: 1, timer: timer)
        let all = try (1...3).map {
            try #require(waits.begin(Self.topic("\($0)"), from: nil, presence: ClientPresence()))
        }
        waits.finishAll()
        for waiting in all { #expect(await waiting.end(until: latest) == .changed) }
    }

    @Test func `end when their time is over`() async throws {
        let waiting = try #require(waits.begin(one, from: nil, presence: ClientPresence()))
        async let end = waiting.end(until: latest)
        await clock.sleepers(1)
        clock.advance(by: .seconds(29))
        #expect(clock.sleeping == 1)
        clock.advance(by: .seconds(1))
        #expect(await end == .timeOver)
    }

    @Test func `end when the server stops, and none begins any more`() async throws {
        let waiting = try #require(waits.begin(one, from: nil, presence: ClientPresence()))
        waits.close()
        #expect(await waiting.end(until: latest) == .timeOver)
        #expect(waits.begin(other, from: nil, presence: ClientPresence()) == nil)
    }

    @Test func `end when their task is cancelled`() async throws {
        let waiting = try #require(waits.begin(one, from: nil, presence: ClientPresence()))
        let task = Task { await waiting.end(until: latest) }
        await clock.sleepers(1)
        task.cancel()
        #expect(await task.value == .left)
        #expect(clock.sleeping == 0)
    }

    @Test func `are one for each request: the newest`() async throws {
        let first = try #require(waits.begin(one, from: nil, presence: ClientPresence()))
        let second = try #require(waits.begin(one, from: nil, presence: ClientPresence()))
        #expect(await first.end(until: latest) == .superseded)
        #expect(waits.count == 1)
        waits.end(first, for: one)
        #expect(waits.count == 1)
        waits.finish(one)
        #expect(await second.end(until: latest) == .changed)
        waits.end(second, for: one)
        #expect(waits.count == 0)
    }

    @Test func `are never more than there is room for`() throws {
        let first = try #require(waits.begin(one, from: nil, presence: ClientPresence()))
        _ = try #require(waits.begin(other, from: nil, presence: ClientPresence()))
        #expect(waits.begin(Self.topic("third"), from: nil, presence: ClientPresence()) == nil)
        #expect(waits.begin(other, from: nil, presence: ClientPresence()) != nil)
        waits.end(first, for: one)
        #expect(waits.begin(Self.topic("third"), from: nil, presence: ClientPresence()) != nil)
    }

    @Test func `end for one of another network when theirs has most`() async throws {
        let waits = ChangeWaiters(
            in: MemoryShare(room: 20 * MemoryCost.heldAtConnection), mostOfOne: 1, timer: timer)
        let crowd = try (1...20).map { number in
            try #require(waits.begin(Self.topic("\(number)"), from: "203.0.113.1"))
        }
        let stranger = try #require(waits.begin(one, from: "198.51.100.7"))
        #expect(await crowd[19].end(until: latest) == .superseded)
        for (number, waiting) in crowd.enumerated() { waits.end(waiting, for: Self.topic("\(number + 1)")) }
        #expect(waits.count == 1 && waits.isAwaited(one))
        waits.end(stranger, for: one)
    }

    @Test func `are one for each owner where several wait for the same`() async throws {
        let waits = ChangeWaiters(
            in: MemoryShare(room: 3 * MemoryCost.heldAtConnection), mostOfOne: .max, timer: timer)
        let anna = AwaitedTopic.inbox(Subject("anna"))
        let phone = try #require(waits.begin(anna, of: Grant.ID("phone"), from: nil))
        let tablet = try #require(waits.begin(anna, of: Grant.ID("tablet"), from: nil))
        let again = try #require(waits.begin(anna, of: Grant.ID("phone"), from: nil))
        #expect(await phone.end(until: latest) == .superseded)
        #expect(waits.count == 2)
        _ = try #require(waits.begin(.inbox(Subject("ben")), of: Grant.ID("phone"), from: nil))
        #expect(waits.begin(anna, of: Grant.ID("watch"), from: nil) == nil)

        waits.finish(anna)
        #expect(await tablet.end(until: latest) == .changed)
        #expect(await again.end(until: latest) == .changed)
        for waiting in [phone, tablet, again] { waits.end(waiting, for: anna) }
        #expect(waits.count == 1 && !waits.isAwaited(anna))
    }

    @Test func `make room at the same topic, the oldest first, and not at another`() async throws {
        let waits = ChangeWaiters(
            in: MemoryShare(room: 3 * MemoryCost.heldAtConnection), mostOfOne: 2, timer: timer)
        let all = try (0..<3).map { _ in try #require(waits.begin(one, from: nil)) }
        #expect(await all[0].end(until: latest) == .superseded)
        #expect(waits.count == 2)
        _ = try #require(waits.begin(other, from: nil))
        #expect(waits.begin(Self.topic("third"), from: nil) == nil)
        _ = try #require(waits.begin(one, from: nil))
        #expect(await all[1].end(until: latest) == .superseded)
        #expect(waits.count == 3)
    }
}

/// One task sleeps for all waits.
extension ChangeWaitersTests {
    @Test func `share one sleep, until the earliest of their ends`() async throws {
        let waits = ChangeWaiters(
            in: MemoryShare(room: 9 * MemoryCost.heldInTask), mostOfOne: 1, timer: timer)
        let ends = AsyncStream.makeStream(of: Int.self)
        for seconds in [30, 10, 20] {
            let waiting = try #require(waits.begin(Self.topic("\(seconds)"), from: nil))
            waiting.end(until: clock.instant + .seconds(seconds)) { _ in ends.continuation.yield(seconds) }
        }
        var ended = ends.stream.makeAsyncIterator()
        for seconds in [10, 20, 30] {
            await clock.sleepers(1)
            #expect(clock.sleeping == 1)
            clock.advance(by: .seconds(10))
            #expect(await ended.next() == seconds)
        }
        #expect(clock.sleeping == 0)
    }

    @Test func `leave no sleep behind when each has ended otherwise`() async throws {
        let waits = ChangeWaiters(
            in: MemoryShare(room: 99 * MemoryCost.heldAtConnection), mostOfOne: 1, timer: timer)
        let all = try (1...50).map { try #require(waits.begin(Self.topic("\($0)"), from: nil)) }
        for (number, waiting) in all.enumerated() {
            waiting.end(until: clock.instant + .seconds(100 - number)) { _ in }
        }
        await clock.sleepers(1)
        waits.finishAll()
        #expect(clock.sleeping == 0)
    }
}
