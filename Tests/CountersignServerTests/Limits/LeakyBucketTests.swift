import Countersign
import CountersignSQLite
import CountersignTesting
import Foundation
import Testing

@testable import CountersignServer

@Suite("The pace of attempts")
struct LeakyBucketTests {
    @Test func `lets the first go on, then waits 1, 2, 4 seconds and more, and for a pause at last`() async throws {
        let times = try await attempts(.passwordPerAddress, for: 240)
        #expect(times.count { $0 == 0 } == 10)
        let delays = zip(times.dropFirst(10), times.dropFirst(9)).map { $0 - $1 }
        #expect(delays.prefix(5) == [1, 2, 4, 8, 16])
        // The longest, in which one attempt leaks, is 37.5 seconds.
        #expect(delays.allSatisfy { $0 <= 38 } && delays.dropFirst(5).allSatisfy { $0 >= 37 })
    }

    /// So many a day at the most, and in any span, are what the documentation promises.
    @Test(arguments: [
        (LimitName.userCodePerAddress, 14_400), (.userCodePerKnownBrowser, 14_400), (.passwordPerAddress, 4_320),
        (.passwordPerAccountAndAddress, 1_440), (.passwordPerAccount, 2_400),
    ])
    func `lets no more through than the limit, in a day and in any span`(name: LimitName, perDay: Int) async throws {
        let limit = try #require(LimitTable.standard[name])
        let times = try await attempts(name, for: 86_400)
        #expect(limit.most * 86_400 / limit.seconds == perDay)
        #expect(times.count <= perDay && times.count > perDay / 3)
        for (index, time) in times.enumerated() where index >= limit.most {
            #expect(time - times[index - limit.most] >= limit.seconds)
        }
    }

    @Test(arguments: [(LimitName.userCodePerAddress, 14_400), (.passwordPerAccount, 2_400)])
    func `lets no more through in a day when ever other people guess`(name: LimitName, perDay: Int) async throws {
        #expect(try await attempts(name, for: 86_400, byNewcomers: true).count <= perDay)
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
            let limiter = StoredRateLimiter(table: LimitTable(), clock: clock.source)
            let key = RateLimitKey.address(.userCodePerAddress, "192.0.2.7")
            try await store.change { repositories in
                for _ in 0..<3 { try limiter.admitAndCount([key], in: repositories) }
            }
            await #expect(throws: LimitReached(limit: .userCodePerAddress, retryAfter: 1)) {
                try await store.change { try limiter.admitAndCount([key], in: $0) }
            }
            clock.setDate(clock.date - 7200)
            try await store.change { try limiter.admitAndCount([key], in: $0) }
        }
    }

    /// The seconds of the attempts of one who never waits longer than needed, or of ever other people at one address.
    private func attempts(
        _ name: LimitName,
        for seconds: Int,
        byNewcomers: Bool = false
    ) async throws -> [Int] {
        try await withStore { store, clock in
            let limiter = StoredRateLimiter(table: LimitTable(), clock: clock.source)
            return try await store.change { repositories in
                let key = RateLimitKey.address(name, "192.0.2.7")
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
