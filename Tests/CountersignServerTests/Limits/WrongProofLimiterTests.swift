import Countersign
import CountersignSQLite
import CountersignTesting
import Foundation
import Testing

@testable import CountersignServer

/// Two nodes are two of these on one store.
@Suite("Proofs that are wrong and cannot be guessed")
struct WrongProofLimiterTests {
    private func limiter(_ store: any Store, _ clock: ManualClock, _ limit: Limit? = Limit(3, in: 60))
        -> WrongProofLimiter
    {
        var limits = Limits()
        limits[.wrongProofPerAddress] = limit
        return WrongProofLimiter(store: store, limits: StoredRateLimiter(limits: limits, clock: clock.source))
    }

    @Test func `end with the limit of their network at all nodes, and begin again when the span is over`() async throws
    {
        try await withStore { store, clock in
            let nodes = [limiter(store, clock), limiter(store, clock)]
            for number in 0..<3 { try await nodes[number % 2].refuse(from: "192.0.2.7") }
            clock.advance(by: .seconds(20))
            for _ in 0..<2 {
                for node in nodes {
                    await #expect(throws: RateLimitError(.limit(.wrongProofPerAddress), retryAfter: 40)) {
                        try await node.refuse(from: "192.0.2.7")
                    }
                }
            }
            try await nodes[0].refuse(from: "192.0.2.8")
            clock.advance(by: .seconds(40))
            for number in 0..<3 { try await nodes[number % 2].refuse(from: "192.0.2.7") }
            await #expect(throws: RateLimitError.self) { try await nodes[1].refuse(from: "192.0.2.7") }
        }
    }

    @Test func `are noted once in their span`() async throws {
        try await withStore { store, clock in
            let node = limiter(store, clock)
            for _ in 0..<10 { try? await node.refuse(from: "192.0.2.7") }
            let noted = try await store.read { repositories in
                try repositories.audit.entries(after: 0, limit: 100).map(\.facts)
            }
            #expect(noted.map(\.detail) == ["wrong-proof-per-address 3/60"])
            #expect(noted.map(\.address) == ["192.0.2.7"])
        }
    }

    /// A node that knows that a network is blocked asks the database nothing.
    @Test func `cost the store nothing once their network is blocked`() async throws {
        try await withStore { store, clock in
            let node = limiter(store, clock)
            for _ in 0..<4 { try? await node.refuse(from: "192.0.2.7") }
            try await store.close()
            await #expect(throws: RateLimitError(.limit(.wrongProofPerAddress), retryAfter: 60)) {
                try await node.refuse(from: "192.0.2.7")
            }
        }
    }

    @Test func `are counted together for the networks of one home`() async throws {
        try await withStore { store, clock in
            let node = limiter(store, clock)
            for number in 0..<12 { try await node.refuse(from: "2001:db8:1:\(20 + number / 3)::1") }
            await #expect(throws: RateLimitError.self) { try await node.refuse(from: "2001:db8:1:2f::1") }
            try await node.refuse(from: "2001:db8:2::1")
        }
    }

    @Test func `are not counted where the network cannot be seen, or the limit is switched off`() async throws {
        try await withStore { store, clock in
            for _ in 0..<10 { try await limiter(store, clock).refuse(from: nil) }
            for _ in 0..<10 { try await limiter(store, clock, nil).refuse(from: "192.0.2.7") }
        }
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
