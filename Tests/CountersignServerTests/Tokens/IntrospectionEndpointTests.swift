import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 7662 §2.
@Suite("An introspection", .server)
struct IntrospectionEndpointTests {
    let server = TestServer.current

    @Test func `describes a client's own token`() async throws {
        let tokens = try await server.signedIn(.console, scope: "openid play")
        let form = try TestClients.console.form.with(["token": tokens.accessToken.revealed])
        let answer = try await server.post("/introspect", form)
        let described = try answer.json(IntrospectionResponse.self)
        let start = 1_800_000_000

        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(described.active)
        #expect(described.scope == "openid play")
        #expect(described.clientID == ClientID("console"))
        #expect(described.username == "anna")
        #expect(described.subject == "subject-of-anna")
        #expect(described.tokenType == "Bearer")
        #expect(described.audience == Audience([TestClients.audience]))
        #expect(described.issuer == "http://localhost:8080")
        #expect(described.issued == start && described.expires == start + 3600)
        #expect(described.tokenID?.isEmpty == false)
    }

    @Test func `describes a resource server the tokens that are meant for it`() async throws {
        let meant = try await server.signedIn(.console)
        let other = try await server.signedIn(.tv)
        #expect(try await server.introspect(meant.accessToken.revealed, as: .api).active)
        #expect(try await server.introspect(other.accessToken.revealed, as: .api) == .inactive)
        let refresh = try #require(meant.refreshToken).revealed
        #expect(try await server.introspect(refresh, as: .api) == .inactive)
    }

    @Test func `tells everybody else only that a token is not good`() async throws {
        let tokens = try await server.signedIn(.console)
        for token in [tokens.accessToken.revealed, try #require(tokens.refreshToken).revealed, "unknown", "é"] {
            let form = try TestClients.robot.form.with(["token": token])
            let answer = try await server.post("/introspect", form)
            #expect(answer.status == .ok)
            #expect(answer.text == #"{"active":false}"#)
        }
    }

    @Test func `describes a refresh token to the client that holds it, while it is unused`() async throws {
        let refresh = try #require(try await server.signedIn(.console, scope: "openid play").refreshToken)
        let described = try await server.introspect(refresh.revealed, as: .console)
        #expect(described.active)
        #expect(described.scope == "openid play")
        #expect(described.subject == "subject-of-anna")
        #expect(described.username == "anna")
        #expect(described.tokenType == nil)

        _ = try await server.refresh(refresh, as: .console)
        #expect(try await server.introspect(refresh.revealed, as: .console) == .inactive)
    }

    @Test func `is refused to public clients`() async throws {
        let token = try await server.signedIn(.tv).accessToken
        let form = try TestClients.tv.form.with(["token": token.revealed])
        let answer = try await server.post("/introspect", form)
        #expect(answer.status == .unauthorized)
        #expect(answer.error == .invalidClient)
    }

    @Test func `needs a token to introspect`() async throws {
        let answer = try await server.post("/introspect", TestClients.api.form)
        #expect(answer.status == .badRequest)
        #expect(answer.error == .invalidRequest)
    }

    /// An event that makes a token worthless, while its holder can still ask.
    enum End: Sendable, CaseIterable {
        case expiry, revocation, lock, removalOfPerson, signOut, reuse
    }

    @Test(arguments: End.allCases)
    func `tells of the end of a token at once`(end: End) async throws {
        let tokens = try await server.signedIn(.console)
        let refresh = try #require(tokens.refreshToken)
        try await bring(end, to: tokens, at: server)
        for token in [tokens.accessToken.revealed, refresh.revealed] {
            #expect(try await server.introspect(token, as: .console) == .inactive)
            #expect(try await server.introspect(token, as: .api) == .inactive)
        }
    }

    @Test func `tells a resource server of the end of a client`() async throws {
        let tokens = try await server.signedIn(.console)
        try await server.remove(.console)
        #expect(try await server.introspect(tokens.accessToken.revealed, as: .api) == .inactive)
        #expect(try await !server.honours(tokens.accessToken))
    }

    @Test func `tells a resource server that a registration has expired, before it is swept`() async throws {
        let tokens = try await server.signedIn(.console)
        try await server.expire(.console, after: 60)
        #expect(try await server.introspect(tokens.accessToken.revealed, as: .api).active)
        #expect(try await server.honours(tokens.accessToken))
        server.clock.advance(by: .seconds(60))
        #expect(try await server.introspect(tokens.accessToken.revealed, as: .api) == .inactive)
        #expect(try await !server.honours(tokens.accessToken))
        #expect(try await server.find(TestClients.console.id) != nil)
    }

    private func bring(_ end: End, to tokens: TokenResponse, at server: TestServer) async throws {
        switch end {
        case .expiry:
            server.clock.advance(by: .seconds(30 * 86_400))
        case .revocation:
            let form = try TestClients.console.form.with(["token": try #require(tokens.refreshToken).revealed])
            _ = try await server.post("/revoke", form)
        case .lock:
            try await server.lock(.anna)
        case .removalOfPerson:
            try await server.change { _ = try $0.people.remove(TestPerson.anna.subject) }
        case .signOut:
            let anna = try await server.browser(of: .anna)
            let grant = try #require(try await anna.get("account").field("grant"))
            _ = try await anna.post("account/sign-out", ["grant": grant])
        case .reuse:
            _ = try await server.refresh(tokens.refreshToken, as: .console)
            server.clock.advance(by: .seconds(11))
            _ = try await server.refresh(tokens.refreshToken, as: .console, from: "198.51.100.9")
        }
    }
}
