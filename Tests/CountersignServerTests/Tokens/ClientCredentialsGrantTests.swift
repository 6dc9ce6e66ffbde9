import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 6749 §4.4.
@Suite("A client that acts for itself", .server)
struct ClientCredentialsGrantTests {
    let server = TestServer.current
    static let grant: Form = ["grant_type": "client_credentials"]

    @Test func `gets a token of its own and nothing else`() async throws {
        let answer = try await server.post("/token", Self.grant.with(TestClients.console.form))
        #expect(answer.status == .ok)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.members == ["access_token", "token_type", "expires_in", "scope"])
        let tokens = try answer.json(TokenResponse.self)
        #expect(tokens.scope?.description == "play")
        #expect(URLSafeText.decode(tokens.accessToken.revealed)?.count == 32)

        let described = try await server.introspect(tokens.accessToken.revealed, as: .console)
        #expect(described.active)
        #expect(described.subject == "console")
        #expect(described.username == nil)
        #expect(described.audience == Audience([TestClients.audience]))
    }

    @Test func `gets a JWT when it wants one`() async throws {
        let form = try Self.grant.with(TestClients.robot.form)
        let tokens = try await server.post("/token", form).json(TokenResponse.self)
        let token = try await server.read(tokens.accessToken.revealed)
        #expect(token.header.type == "at+jwt")
        #expect(token.names == ["iss", "exp", "aud", "sub", "client_id", "iat", "jti", "scope"])
        #expect(token.text("sub") == "robot")
        #expect(token.text("client_id") == "robot")
        #expect(token.text("scope") == "play")
        #expect(tokens.expiresIn == 300)
    }

    @Test(arguments: [("play", "play"), ("openid play", "play")])
    func `gets nothing that is a person's`(asked: String, granted: String) async throws {
        let form = try Self.grant.with(TestClients.console.form).with(["scope": asked])
        let tokens = try await server.post("/token", form).json(TokenResponse.self)
        #expect(tokens.scope?.description == granted)
        #expect(tokens.idToken == nil)
        #expect(try await !server.honours(tokens.accessToken))
    }

    /// Standard: RFC 6749 §3.3, §5.2.
    @Test func `is refused a scope that is for people only`() async throws {
        let form = try Self.grant.with(TestClients.console.form)
            .with(["scope": "openid profile email offline_access"])
        let answer = try await server.post("/token", form)
        #expect(answer.status == .badRequest)
        #expect(answer.error == .invalidScope)
    }

    @Test func `must have a secret`() async throws {
        try await server.change { repositories in
            var client = TestClients.tv.record(created: server.clock.date)
            client.grantTypes = GrantType.known
            _ = try repositories.clients.remove(client.id)
            try repositories.clients.insert(client)
        }
        let answer = try await server.post("/token", Self.grant.with(TestClients.tv.form))
        #expect(answer.status == .badRequest)
        #expect(answer.error == .unauthorizedClient)
    }

    @Test(arguments: [TestClients.tv, .api])
    func `must be registered for it`(client: TestClients) async throws {
        let answer = try await server.post("/token", Self.grant.with(client.form))
        #expect(answer.status == .badRequest)
        #expect(answer.error == .unauthorizedClient)
    }

    @Test func `is refused a scope that it may not have`() async throws {
        let form = try Self.grant.with(TestClients.robot.form).with(["scope": "admin"])
        #expect(try await server.post("/token", form).error == .invalidScope)
    }
}
