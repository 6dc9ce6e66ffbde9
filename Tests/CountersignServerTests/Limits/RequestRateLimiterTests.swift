import Countersign
import CountersignSQLite
import CountersignTesting
import Foundation
import Testing

@testable import CountersignServer

/// Two nodes are two of these on one store.
@Suite("Traffic that is counted on several nodes")
struct RequestRateLimiterTests {
    @Test func `is held to one limit together, once they have shared`() async throws {
        try await withStore { store, clock in
            let (one, other) = (requestLimiter(store, clock), requestLimiter(store, clock))
            for _ in 0..<6 { try one.admit(rateKey) }
            for _ in 0..<4 { try other.admit(rateKey) }
            try await one.share()
            try await other.share()
            try await one.share()
            #expect(throws: RateLimitError(.limit(.tokenPerClient), retryAfter: 60)) { try other.admit(rateKey) }
            clock.advance(by: .seconds(60))
            try one.admit(rateKey)
            try other.admit(rateKey)
        }
    }

    @Test func `is noted once in its span when it reaches its limit`() async throws {
        try await withStore { (store, clock) async throws -> Void in
            let nodes = [requestLimiter(store, clock), requestLimiter(store, clock)]
            func flood() async throws -> [String?] {
                for _ in 0..<3 {
                    for node in nodes {
                        for _ in 0..<6 { try? node.admit(rateKey) }
                        try await node.share()
                    }
                }
                return try await store.read { repositories in
                    try repositories.audit.entries(after: 0, limit: 100).map(\.facts.detail)
                }
            }
            #expect(try await flood() == ["token-per-client 10/60"])
            clock.advance(by: .seconds(60))
            #expect(try await flood().count == 2)
        }
    }

    @Test func `is written down only where it comes near to its limit`() async throws {
        try await withStore { store, clock in
            let busy = requestLimiter(store, clock, most: 1_000)
            for _ in 0..<49 { try busy.admit(rateKey) }
            try await busy.share()
            #expect(try await store.read { try $0.counts.find(rateKey.countKey) } == nil)
            try busy.admit(rateKey)
            try await busy.share()
            let count = try await store.read { try $0.counts.find(rateKey.countKey) }
            #expect(count?.times == 50)
        }
    }

    @Test func `is counted for so many at the most`() async throws {
        try await withStore { store, clock in
            let busy = requestLimiter(store, clock)
            for number in 0..<(RequestRateLimiter.capacity + 10) {
                try busy.admit(.client(.tokenPerClient, ClientID("\(number)")))
            }
            #expect(busy.count <= RequestRateLimiter.capacity)
            clock.advance(by: .seconds(60))
            try await busy.share()
            #expect(busy.count == 0)
        }
    }

    private let rateKey = RateLimitKey.client(.tokenPerClient, ClientID("tv"))

    private func requestLimiter(_ store: any Store, _ clock: ManualClock, most: Int = 10) -> RequestRateLimiter {
        var limits = Limits()
        limits[.tokenPerClient] = Limit(most, in: 60)
        return RequestRateLimiter(StoredRateLimiter(limits: limits, clock: clock.source), sharingIn: store)
    }

    private func withStore(_ test: (SQLiteStore, ManualClock) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try SQLiteStore.open(in: directory)
        try await test(store, ManualClock())
        try await store.close()
    }
}
