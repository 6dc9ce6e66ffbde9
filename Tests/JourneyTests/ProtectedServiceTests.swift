import Countersign
import CountersignResource
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

@Suite("A service beside the real server", .timeLimit(.minutes(10)))
struct ProtectedServiceTests {
    @Test(arguments: [JourneyParties.tv, JourneyParties.radio, JourneyParties.terminal])
    func `learns by introspection who asks, and that a token was revoked`(client: ClientID) async throws {
        try await JourneyServer.with { server in
            let tokens = try await tokens(of: client, at: server)
            let checker = try introspection(at: server)
            let facts = try good(try await checker.check(tokens.accessToken, at: server.clock.date))
            #expect(facts.client == client)
            #expect(facts.person == JourneyPerson.anna.subject)
            #expect(facts.displayName == "anna")
            #expect(facts.scope == Scope([.openid, .profile]))
            let expires = try #require(facts.expires)
            #expect(expires > server.clock.date)

            let digest = tokens.accessToken.digest
            try await server.change { try $0.accessTokens.remove(digest) }
            #expect(isGood(try await checker.check(tokens.accessToken, at: server.clock.date)), "remembered")
            server.clock.advance(by: .seconds(60))
            #expect(!isGood(try await checker.check(tokens.accessToken, at: server.clock.date)), "asked again")
        }
    }

    @Test(arguments: [JourneyParties.radio, JourneyParties.terminal])
    func `verifies by the published keys who asks`(client: ClientID) async throws {
        try await JourneyServer.with { server in
            let tokens = try await tokens(of: client, at: server)
            let checker = try signatures(at: server)
            let facts = try good(try await checker.check(tokens.accessToken, at: server.clock.date))
            #expect(facts.client == client)
            #expect(facts.person == JourneyPerson.anna.subject)
            #expect(facts.scope == Scope([.openid, .profile]))

            let idToken = AccessToken(revealing: try #require(tokens.idToken).revealed)
            #expect(!isGood(try await checker.check(idToken, at: server.clock.date)), "an ID token is no access token")
            let other = try signatures(at: server, audience: "https://other.example.com")
            #expect(!isGood(try await other.check(tokens.accessToken, at: server.clock.date)))
            server.clock.advance(by: .seconds(400))
            #expect(!isGood(try await checker.check(tokens.accessToken, at: server.clock.date)), "expired")
        }
    }

    @Test func `takes neither a refresh token nor an opaque one for what they are not`() async throws {
        try await JourneyServer.with { server in
            let tokens = try await tokens(of: JourneyParties.tv, at: server)
            let refresh = AccessToken(revealing: tokens.refreshToken?.revealed ?? "none")
            #expect(!isGood(try await introspection(at: server).check(refresh, at: server.clock.date)))
            #expect(!isGood(try await signatures(at: server).check(tokens.accessToken, at: server.clock.date)))
        }
    }

    @Test func `lets nobody in with wrong credentials of its own, and sends nobody away`() async throws {
        try await JourneyServer.with { server in
            let tokens = try await tokens(of: JourneyParties.tv, at: server)
            let checker = try introspection(at: server, secret: ClientSecret(revealing: "wrong"))
            await #expect(throws: TokenCheckError(.notAccepted, because: "")) {
                try await checker.check(tokens.accessToken, at: server.clock.date)
            }
        }
    }

    @Test func `goes on by keys that it knows while the server is away, and says so for those that it does not`()
        async throws
    {
        try await JourneyServer.with { server in
            let tokens = try await tokens(of: JourneyParties.radio, at: server)
            let (knows, knowsNot) = (try signatures(at: server), try signatures(at: server))
            _ = try good(try await knows.check(tokens.accessToken, at: server.clock.date))
            try await server.stop()
            #expect(isGood(try await knows.check(tokens.accessToken, at: server.clock.date)))
            await #expect(throws: TokenCheckError(.unreachable, because: "")) {
                try await knowsNot.check(tokens.accessToken, at: server.clock.date)
            }
            try await server.start()
        }
    }

    // MARK: Fixture

    private struct NotGood: Error {
        let verdict: TokenVerdict
    }

    private func good(_ verdict: TokenVerdict) throws -> TokenFacts {
        guard case .good(let facts) = verdict else { throw NotGood(verdict: verdict) }
        return facts
    }

    private func isGood(_ verdict: TokenVerdict) -> Bool {
        if case .good = verdict { true } else { false }
    }

    private func tokens(of client: ClientID, at server: JourneyServer) async throws -> TokenResponse {
        let screen = JourneyScreen(at: server.issuer, as: client)
        let codes = try await screen.ask()
        let anna = JourneyVisitor(at: server.issuer)
        try await anna.signIn(as: .anna)
        try await anna.decide(.approve, on: codes.userCode)
        return try await screen.poll(codes).tokens
    }

    private func introspection(
        at server: JourneyServer,
        secret: ClientSecret = JourneyParties.apiSecret
    ) throws -> IntrospectionChecker {
        IntrospectionChecker(
            at: try Endpoint(server.issuer.appending("introspect")),
            as: JourneyParties.api,
            secret: secret,
            audience: ResourceName(JourneyParties.audience)
        )
    }

    private func signatures(
        at server: JourneyServer,
        audience: String = JourneyParties.audience
    ) throws -> SignedTokenChecker {
        SignedTokenChecker(
            issuer: IssuerName(server.issuer.text),
            keysAt: try Endpoint(server.issuer.appending("jwks")),
            audience: ResourceName(audience)
        )
    }
}
