import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("An approved request whose person may not sign in")
struct BarredApprovalTests {
    @Test func `is denied for good, with an entry in the audit`() async throws {
        try await TestServer.open { server in
            let codes = try await server.ask()
            try await server.browser(of: .anna).decide("approve", codes)
            let (digest, now) = (codes.deviceCode.digest, server.clock.date)
            try await server.change { repositories in
                let stored = try #require(try repositories.exchanges.find(digest))
                _ = try ApprovalService.bar(stored, at: now, in: repositories)
            }
            let stored = try #require(try await server.store.read { try $0.exchanges.find(digest) })
            #expect(stored.exchange.grant == nil && stored.exchange.decider == TestPerson.anna.subject)
            let entry = try #require(try await server.audited(.denied).last)
            #expect(entry.by == .server && entry.subject == TestPerson.anna.subject && entry.request == stored.id)
            #expect(try await server.poll(codes).error == .accessDenied)
        }
    }

    @Test func `is none that waits, and none whose grant is spent`() async throws {
        try await TestServer.open { server in
            let waiting = try await server.ask()
            let spent = try await server.ask()
            try await server.browser(of: .anna).decide("approve", spent)
            #expect(try await server.poll(spent).status == .ok)
            let before = try await server.dump()
            let now = server.clock.date
            for codes in [waiting, spent] {
                await #expect(throws: ContradictoryRequestError.self) {
                    try await server.change { repositories in
                        let stored = try #require(try repositories.exchanges.find(codes.deviceCode.digest))
                        _ = try ApprovalService.bar(stored, at: now, in: repositories)
                    }
                }
            }
            #expect(try await server.dump() == before)
        }
    }
}
