import Countersign
import CountersignSQLite
import CountersignTesting
import Foundation
import Testing

@testable import CountersignServer

@Suite("Something that may be used once", .server(withSigningKeys: false))
struct SingleUseTests {
    let server = TestServer.current

    private func use(_ name: String, until ends: Date, on server: TestServer) async throws -> Bool {
        let use = SingleUse(.usesPerAssertion, of: SecretDigest(of: name), until: ends)
        let now = server.clock.date
        return try await server.store.change { try use.isFirst(in: $0, at: now) }
    }

    @Test func `is used once until it is too old, also when the clock was set back`() async throws {
        let (now, ends) = (server.clock.date, server.clock.date + 300)
        let isFirst = try await use("one", until: ends, on: server)
        #expect(isFirst)
        for seconds in [0, 1, -3600, 299.5] {
            server.clock.setDate(now + seconds)
            #expect(try await !use("one", until: ends, on: server), "\(seconds)")
        }
        #expect(try await use("two", until: ends, on: server))
    }

    @Test func `is remembered a while longer for nodes whose clocks are behind, and then forgotten`() async throws {
        let ends = server.clock.date
        #expect(try await use("one", until: ends, on: server))
        server.clock.advance(by: .seconds(59))
        #expect(try await !use("one", until: ends, on: server))
        server.clock.advance(by: .seconds(2))
        let now = server.clock.date
        let forgotten = try await server.store.change { try $0.counts.sweep(before: now, limit: 10) }
        #expect(forgotten == 1)
    }
}
