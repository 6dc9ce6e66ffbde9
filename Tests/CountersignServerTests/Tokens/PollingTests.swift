import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 8628 §3.5 (`slow_down`).
@Suite("A client that polls", .server)
struct PollingTests {
    let server = TestServer.current

    @Test func `is slowed down when it comes too early, five seconds more each time`() async throws {
        let codes = try await server.ask()
        #expect(try await server.poll(codes).error == .authorizationPending)

        for interval in [5, 10, 15, 20] {
            server.clock.advance(by: .seconds(interval - 1))
            let answer = try await server.poll(codes)
            #expect(answer.status == .badRequest)
            #expect(answer.error == .slowDown, "after an interval of \(interval)")
        }
        server.clock.advance(by: .seconds(24))
        #expect(try await server.poll(codes).error == .slowDown)
        server.clock.advance(by: .seconds(30))
        #expect(try await server.poll(codes).error == .authorizationPending)
    }

    @Test func `goes on undisturbed when it keeps to the interval`() async throws {
        let codes = try await server.ask()
        for _ in 0..<50 {
            #expect(try await server.poll(codes).error == .authorizationPending)
            server.clock.advance(by: .seconds(5))
        }
    }

    @Test(arguments: ["approve", "deny"])
    func `is told of a decision whatever the interval`(decision: String) async throws {
        let codes = try await server.ask()
        #expect(try await server.poll(codes).error == .authorizationPending)
        #expect(try await server.poll(codes).error == .slowDown)
        try await server.browser(of: .anna).decide(decision, codes)
        let answer = try await server.poll(codes)
        #expect(answer.error == (decision == "approve" ? nil : .accessDenied))
    }

    @Test func `is told of the deadline whatever the interval`() async throws {
        let codes = try await server.ask()
        server.clock.advance(by: .seconds(299))
        #expect(try await server.poll(codes).error == .authorizationPending)
        server.clock.advance(by: .seconds(1))
        #expect(try await server.poll(codes).error == .expiredToken)
    }

    @Test func `does not slow another request down`() async throws {
        let one = try await server.ask()
        let other = try await server.ask()
        #expect(try await server.poll(one).error == .authorizationPending)
        #expect(try await server.poll(other).error == .authorizationPending)
        #expect(try await server.poll(one).error == .slowDown)
    }
}
