import Countersign
import CountersignSQLite
import CountersignTesting
import Foundation
import Testing

@testable import CountersignServer

@Suite("The pace of attempts")
struct LeakyBucketTests {
    @Test func `lets the first go on, then waits 1, 2, 4 seconds and more, and for a pause at last`() async throws {
        let times = try await attempts(.guessPerAddress, for: 240)
        #expect(times.count { $0 == 0 } == 10)
        let delays = zip(times.dropFirst(10), times.dropFirst(9)).map { $0 - $1 }
        #expect(delays.prefix(5) == [1, 2, 4, 8, 16])
        // The longest delay is the 37.5 seconds that one attempt takes to leak.
        #expect(delays.allSatisfy { $0 <= 38 } && delays.dropFirst(5).allSatisfy { $0 >= 37 })
    }

    /// So many a day at the most, and in any span, are what the documentation promises.
    @Test(arguments: [
        (LimitRule.guessPerAddress, 4_320), (.passwordPerAccount, 2_400), (.codePerAccount, 1_440),
    ])
    func `lets no more through than the limit, in a day and in any span`(rule: LimitRule, perDay: Int) async throws {
        let limit = rule.declaration.standard
        let times = try await attempts(rule, for: 86_400)
        #expect(limit.most * 86_400 / limit.seconds == perDay)
        #expect(times.count <= perDay && times.count > perDay / 3)
        for (index, time) in times.enumerated() where index >= limit.most {
            #expect(time - times[index - limit.most] >= limit.seconds)
        }
    }

    /// Each of them has two attempts, as long as all together have those of the limit; the bucket alone lets half as
    /// many through.
    @Test func `lets half as many again through in a day when ever other people guess`() async throws {
        let times = try await attempts(.guessPerAddress, for: 86_400, byNewcomers: true)
        #expect(times.count { $0 == 0 } == 30)
        #expect(times.count <= 4_320 * 3 / 2)
    }

    /// Somebody who comes after a flood waits for as long at most.
    @Test(arguments: LimitRule.allCases.filter { $0.declaration.manner == .delays })
    func `delays nobody for more than two minutes`(rule: LimitRule) {
        let limit = rule.declaration.standard
        for limit in [limit, Limit(1, in: 86_400), Limit(2, in: 86_400), Limit(100, in: 86_400), Limit(5, in: 10)] {
            let bucket = LeakyBucket(limit)
            let now = Date(timeIntervalSince1970: 1_800_000_000)
            for level in 1...bucket.capacity {
                let next = bucket.next(drained: now + Double(level) * bucket.pause, at: now)
                #expect((next ?? now) <= now + LimitRule.longestDelay, "\(limit) at \(level)")
            }
        }
    }

    /// Or they would wait for longer than they were told.
    @Test func `is not filled further by those who pass while others wait`() async throws {
        try await withStore { store, clock in
            let limiter = StoredRateLimiter(limits: Limits(), clock: clock.source)
            let key = RateLimitKey.address(.guessPerAddress, "192.0.2.7")
            let now = clock.date
            let (before, after) = try await store.change { repositories -> (Date?, Date?) in
                for _ in 0..<15 { try limiter.count([key], in: repositories) }
                let before = try limiter.end(of: key, in: repositories, at: now)
                for number in 0..<10 { try limiter.admitAndCount([key.sparing("\(number)")], in: repositories) }
                return (before, try limiter.end(of: key, in: repositories, at: now))
            }
            #expect(before != nil && before == after)
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 9, 10, 11, 1_000_000])
    func `holds for a limit of any size`(most: Int) throws {
        let pace = LeakyBucket(Limit(most, in: 1000))
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(pace.capacity >= 1 && pace.capacity <= most)
        #expect(pace.next(drained: nil, at: now) == nil)
        let full = now + Double(pace.capacity) * pace.pause
        let next = try #require(pace.next(drained: full, at: now))
        #expect(next >= now + pace.pause - 0.01 && next < now + 2 * pace.pause)
        #expect(pace.next(drained: full, at: next) == nil)
    }

    @Test func `forgets what was counted before the clock was set back`() async throws {
        try await withStore { store, clock in
            let limiter = StoredRateLimiter(limits: Limits(), clock: clock.source)
            let key = RateLimitKey.address(.guessPerAddress, "192.0.2.7")
            try await store.change { repositories in
                for _ in 0..<10 { try limiter.admitAndCount([key], in: repositories) }
            }
            await #expect(throws: RateLimitError(.limit(.guessPerAddress), retryAfter: 1)) {
                try await store.change { try limiter.admitAndCount([key], in: $0) }
            }
            clock.setDate(clock.date - 7200)
            try await store.change { try limiter.admitAndCount([key], in: $0) }
        }
    }

    /// The seconds of the attempts of one who never waits longer than needed, or of ever other people at one address.
    private func attempts(
        _ rule: LimitRule,
        for seconds: Int,
        byNewcomers: Bool = false
    ) async throws -> [Int] {
        try await withStore { store, clock in
            let limiter = StoredRateLimiter(limits: Limits(), clock: clock.source)
            return try await store.change { repositories in
                let key = RateLimitKey.address(rule, "192.0.2.7")
                var times: [Int] = []
                for second in 0..<seconds {
                    repeat {
                        let next = byNewcomers ? key.sparing("\(times.count / 2)") : key
                        guard (try? limiter.admitAndCount([next], isKnownWrong: false, in: repositories)) != nil else {
                            break
                        }
                        times.append(second)
                    } while true
                    clock.advance(by: .seconds(1))
                }
                return times
            }
        }
    }

    private func withStore<Value: Sendable>(
        _ test: (SQLiteStore, ManualClock) async throws -> Value
    ) async throws -> Value {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try SQLiteStore.open(in: directory)
        let value = try await test(store, ManualClock())
        try await store.close()
        return value
    }
}
