import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 8628 §3.4, §3.5.
@Suite("A device code", .server)
struct PolledGrantTests {
    let server = TestServer.current

    @Test func `waits for a decision`() async throws {
        let codes = try await server.ask()
        let answer = try await server.poll(codes)
        #expect(answer.status == .badRequest)
        #expect(answer.error == .authorizationPending)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.preferenceApplied] == nil)
    }

    @Test func `is redeemed once`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("approve", codes)

        let answer = try await server.poll(codes)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "application/json")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.pragma] == "no-cache")
        #expect(answer.members == ["access_token", "token_type", "expires_in", "refresh_token", "scope", "id_token"])
        let tokens = try answer.json(TokenResponse.self)
        #expect(tokens.tokenType == "Bearer")
        #expect(tokens.expiresIn == 3600)
        #expect(try await server.honours(tokens.accessToken))

        // Before that the same answer is repeated.
        server.clock.advance(by: .seconds(10))
        let again = try await server.poll(codes)
        #expect(again.status == .badRequest)
        #expect(again.error == .invalidGrant)
        #expect(try await server.honours(tokens.accessToken))
    }

    @Test func `is denied for good`() async throws {
        let codes = try await server.ask()
        try await server.browser(of: .anna).decide("deny", codes)
        for _ in 0..<2 { #expect(try await server.poll(codes).error == .accessDenied) }
        server.clock.advance(by: .seconds(301))
        #expect(try await server.poll(codes).error == .accessDenied)
    }

    @Test(arguments: [(299.0, OAuthError.Code?.none), (300.0, .expiredToken)])
    func `is good until its deadline, approved or not`(after: Double, error: OAuthError.Code?) async throws {
        let open = try await server.ask()
        let approved = try await server.ask()
        try await server.browser(of: .anna).decide("approve", approved)
        server.clock.advance(by: .seconds(after))
        #expect(try await server.poll(open).error == error ?? .authorizationPending)
        #expect(try await server.poll(approved).error == error)
    }

    @Test func `is worth nothing to another client, and stays good`() async throws {
        let codes = try await server.ask(as: .tv)
        try await server.browser(of: .anna).decide("approve", codes)
        #expect(try await server.poll(codes, as: .radio).error == .invalidGrant)
        #expect(try await server.poll(codes, as: .console).error == .invalidGrant)
        #expect(try await server.poll(codes, as: .tv).status == .ok)
    }

    @Test(arguments: ["unknown", "é", "A A", "\u{202E}"])
    func `is refused when it is unknown`(code: String) async throws {
        let form = TokenRequest.deviceCode(DeviceCode(revealing: code)).form
        let answer = try await server.post("/token", form.with(TestClients.tv.form))
        #expect(answer.status == .badRequest)
        #expect(answer.error == .invalidGrant)
    }

    @Test func `must be named, with its grant type`() async throws {
        let tv = TestClients.tv.form
        let grant = "urn:ietf:params:oauth:grant-type:device_code"
        #expect(try await server.post("/token", tv).error == .invalidRequest)
        #expect(try await server.post("/token", tv.with(["grant_type": grant])).error == .invalidRequest)
        let other = try await server.post("/token", tv.with(["grant_type": "password"]))
        #expect(other.status == .badRequest)
        #expect(other.error == .unsupportedGrantType)
    }

    @Test func `is refused to a client without this grant`() async throws {
        let form = TokenRequest.deviceCode(DeviceCode(revealing: "x")).form
        let answer = try await server.post("/token", form.with(TestClients.robot.form))
        #expect(answer.status == .badRequest)
        #expect(answer.error == .unauthorizedClient)
    }

    @Test func `gives no refresh token to a client that may not use one, and no ID token without openid`()
        async throws
    {
        try await server.change { repositories in
            var client = TestClients.tv.record(created: server.clock.date)
            client.grantTypes = [.deviceCode]
            _ = try repositories.clients.remove(client.id)
            try repositories.clients.insert(client)
        }
        let tokens = try await server.signedIn(.tv, scope: "play")
        #expect(tokens.refreshToken == nil)
        #expect(tokens.idToken == nil)
        #expect(tokens.scope?.description == "play")
    }
}
