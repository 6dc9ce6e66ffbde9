import Countersign
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: RFC 7009 §2.
@Suite("A revocation")
struct RevocationEndpointTests {
    @Test(arguments: [TestClients.tv, .radio, .console])
    func `of an access token ends that one alone`(client: TestClients) async throws {
        try await TestServer.open { server in
            let tokens = try await server.signedIn(client)
            let answer = try await revoke(tokens.accessToken.revealed, as: client, at: server)
            #expect(answer.status == .ok)
            #expect(answer.body.readableBytes == 0)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(try await !server.honours(tokens.accessToken))
            let next = try await server.refresh(tokens.refreshToken, as: client).json(TokenResponse.self)
            #expect(try await server.honours(next.accessToken))
        }
    }

    @Test func `of a refresh token ends everything that came from its grant`() async throws {
        try await TestServer.open { server in
            let first = try await server.signedIn()
            let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
            let other = try await server.signedIn()
            let refresh = try #require(second.refreshToken)
            #expect(try await revoke(refresh.revealed, as: .tv, at: server).status == .ok)

            for tokens in [first, second] {
                #expect(try await !server.honours(tokens.accessToken))
                #expect(try await server.refresh(tokens.refreshToken).error == .invalidGrant)
            }
            #expect(try await server.honours(other.accessToken))
        }
    }

    @Test func `of a token that was replaced ends its family too`() async throws {
        try await TestServer.open { server in
            let first = try await server.signedIn()
            let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
            let old = try #require(first.refreshToken)
            #expect(try await revoke(old.revealed, as: .tv, at: server).status == .ok)
            #expect(try await !server.honours(second.accessToken))
            #expect(try await server.refresh(second.refreshToken).error == .invalidGrant)
        }
    }

    @Test(arguments: ["unknown", "é", "a b", "eyJhbGciOiJub25lIn0.e30."])
    func `of an unknown token is no error`(token: String) async throws {
        try await TestServer.open { server in
            let answer = try await revoke(token, as: .tv, at: server)
            #expect(answer.status == .ok)
        }
    }

    @Test func `twice is no error`() async throws {
        try await TestServer.open { server in
            let tokens = try await server.signedIn()
            for token in [tokens.accessToken.revealed, try #require(tokens.refreshToken).revealed] {
                #expect(try await revoke(token, as: .tv, at: server).status == .ok)
                #expect(try await revoke(token, as: .tv, at: server).status == .ok)
            }
        }
    }

    @Test(arguments: [TestClients.radio, .robot])
    func `of another client's token is refused, and it stays good`(client: TestClients) async throws {
        try await TestServer.open { server in
            let tokens = try await server.signedIn(.tv)
            for token in [tokens.accessToken.revealed, try #require(tokens.refreshToken).revealed] {
                let answer = try await revoke(token, as: client, at: server)
                #expect(answer.status == .badRequest)
                #expect(answer.error == .invalidGrant)
            }
            #expect(try await server.honours(tokens.accessToken))
            #expect(try await server.refresh(tokens.refreshToken).status == .ok)
        }
    }

    @Test func `needs a token`() async throws {
        try await TestServer.open { server in
            let answer = try await server.post("/revoke", TestClients.tv.form)
            #expect(answer.error == .invalidRequest)
        }
    }

    private func revoke(_ token: String, as client: TestClients, at server: TestServer) async throws -> TestResponse {
        try await server.post("/revoke", client.form.with(["token": token, "token_type_hint": "nonsense"]))
    }
}
