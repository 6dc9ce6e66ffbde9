import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A clock that is set back", .timeLimit(.minutes(10)), .server)
struct ClockSetBackTests {
    let server = TestServer.current

    /// As far as time servers and people have been seen to do it.
    private static let jumps: [Double] = [-11, -3600, -400 * 86_400]

    @Test(arguments: jumps)
    func `leaves every sign-in good, and its refresh token`(jump: Double) async throws {
        let tokens = try await server.signedIn()
        server.clock.setDate(server.clock.date + jump)
        #expect(try await server.honours(tokens.accessToken))
        let renewed = try await server.refresh(tokens.refreshToken).json(TokenResponse.self)
        #expect(try await server.honours(renewed.accessToken))
        #expect(try await server.refresh(renewed.refreshToken).status == .ok)
    }

    @Test(arguments: jumps)
    func `does not make a stolen refresh token a lost answer`(jump: Double) async throws {
        let first = try await server.signedIn()
        let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
        server.clock.setDate(server.clock.date + jump)
        let stolen = try await server.refresh(first.refreshToken, from: "198.51.100.9")
        #expect(stolen.error == .invalidGrant)
        #expect(try await !server.honours(second.accessToken))
    }

    @Test(arguments: jumps)
    func `lets a screen that waits sign in`(jump: Double) async throws {
        let codes = try await server.ask()
        #expect(try await server.poll(codes).error == .authorizationPending)
        server.clock.setDate(server.clock.date + jump)
        // Whoever keeps to the interval is not told to slow down because of it.
        #expect(try await server.poll(codes).error == .authorizationPending)
        try await server.browser(of: .anna).decide("approve", codes)
        let tokens = try await server.poll(codes).json(TokenResponse.self)
        server.clock.advance(by: .seconds(10))
        #expect(try await server.honours(tokens.accessToken))
        #expect(try await server.poll(codes).error == .invalidGrant)
    }

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(2, in: 60) })
    func `keeps nobody out for longer than their limit`() async throws {
        let wrong: Form = ["client_id": "api", "client_secret": "wrong", "token": "any"]
        for _ in 0..<3 { _ = try await server.post("/introspect", wrong) }
        #expect(try await server.post("/introspect", wrong).status == .tooManyRequests)
        server.clock.setDate(server.clock.date - 86_400)
        #expect(try await server.post("/introspect", wrong).status == .unauthorized)
        let right = try await server.post("/introspect", try TestClients.api.form.with(["token": "any"]))
        #expect(right.status == .ok)
    }

    @Test func `leaves the audit whole, in the order in which things happened`() async throws {
        _ = try await server.signedIn()
        let before = try await server.store.read { try Audit($0).verify() }.number
        server.clock.setDate(server.clock.date - 3600)
        _ = try await server.signedIn()
        #expect(try await server.store.read { try Audit($0).verify() }.number > before)
    }
}
