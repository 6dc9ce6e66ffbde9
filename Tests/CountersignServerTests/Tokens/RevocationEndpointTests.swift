import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: RFC 7009 §2.
@Suite("A revocation", .server)
struct RevocationEndpointTests {
    let server = TestServer.current

    @Test(arguments: [TestClients.tv, .radio, .console])
    func `of an access token ends that one alone`(client: TestClients) async throws {
        let tokens = try await server.signedIn(client)
        let answer = try await revoke(tokens.accessToken.revealed, as: client, at: server)
        #expect(answer.status == .ok)
        #expect(answer.body.readableBytes == 0)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(try await !server.honours(tokens.accessToken))
        let next = try await server.refresh(tokens.refreshToken, as: client).json(TokenResponse.self)
        #expect(try await server.honours(next.accessToken))
    }

    @Test func `of a refresh token ends everything that came from its grant`() async throws {
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

    @Test func `of a token that was replaced ends its family too`() async throws {
        let first = try await server.signedIn()
        let second = try await server.refresh(first.refreshToken).json(TokenResponse.self)
        let old = try #require(first.refreshToken)
        #expect(try await revoke(old.revealed, as: .tv, at: server).status == .ok)
        #expect(try await !server.honours(second.accessToken))
        #expect(try await server.refresh(second.refreshToken).error == .invalidGrant)
    }

    @Test(arguments: ["unknown", "é", "a b", "eyJhbGciOiJub25lIn0.e30."])
    func `of an unknown token is no error`(token: String) async throws {
        let answer = try await revoke(token, as: .tv, at: server)
        #expect(answer.status == .ok)
    }

    @Test func `succeeds a second time`() async throws {
        let tokens = try await server.signedIn()
        for token in [tokens.accessToken.revealed, try #require(tokens.refreshToken).revealed] {
            #expect(try await revoke(token, as: .tv, at: server).status == .ok)
            #expect(try await revoke(token, as: .tv, at: server).status == .ok)
        }
    }

    @Test func `that changes nothing leaves nothing in the audit`() async throws {
        let tokens = try await server.signedIn()
        let (access, refresh) = (tokens.accessToken.revealed, try #require(tokens.refreshToken).revealed)
        for (token, rows) in [("unknown", 0), (access, 1), (access, 0), (refresh, 1), (refresh, 0), (access, 0)] {
            let before = try await server.audit().count
            #expect(try await revoke(token, as: .tv, at: server).status == .ok)
            #expect(try await server.audit().count == before + rows, "\(token)")
        }
    }

    @Test func `of many tokens of one client leaves few entries in the audit`() async throws {
        for hour in 1...2 {
            for _ in 0..<120 {
                let form = try TestClients.robot.form.with(["grant_type": "client_credentials"])
                let token = try await server.post("/token", form).json(TokenResponse.self).accessToken
                #expect(try await revoke(token.revealed, as: .robot, at: server).status == .ok)
            }
            let audited = try await server.audited(.tokenRevoked)
            #expect(audited.count == 11 * hour)
            #expect(audited.last?.detail?.hasSuffix("and others: 100 in an hour") == true)
            server.clock.advance(by: .seconds(3600))
        }
    }

    @Test func `counts like a token request`() async throws {
        for (rule, client) in [(LimitRule.tokenPerAddress, TestClients.tv), (.tokenPerClient, .robot)] {
            try await TestServer.open(configuring: { $0.limits[rule] = Limit(3, in: 60) }) { server in
                for attempt in 1...4 {
                    let answer = try await revoke("unknown", as: client, at: server)
                    #expect(answer.status == (attempt < 4 ? .ok : .tooManyRequests))
                }
            }
        }
    }

    @Test(arguments: [TestClients.radio, .robot])
    func `of another client's token is refused, and it stays good`(client: TestClients) async throws {
        let tokens = try await server.signedIn(.tv)
        for token in [tokens.accessToken.revealed, try #require(tokens.refreshToken).revealed] {
            let answer = try await revoke(token, as: client, at: server)
            #expect(answer.status == .badRequest)
            #expect(answer.error == .invalidGrant)
        }
        #expect(try await server.honours(tokens.accessToken))
        #expect(try await server.refresh(tokens.refreshToken).status == .ok)
    }

    @Test func `needs a token to revoke`() async throws {
        let answer = try await server.post("/revoke", TestClients.tv.form)
        #expect(answer.error == .invalidRequest)
    }

    private func revoke(_ token: String, as client: TestClients, at server: TestServer) async throws -> TestResponse {
        try await server.post("/revoke", client.form.with(["token": token, "token_type_hint": "nonsense"]))
    }
}
