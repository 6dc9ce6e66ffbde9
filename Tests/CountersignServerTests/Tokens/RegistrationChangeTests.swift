import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 6749 §5.1 (`scope` in the answer), §5.2 (`invalid_grant`, `unauthorized_client`).
@Suite("A client whose registration was changed")
struct RegistrationChangeTests {
    /// Changes a client as `admin client change` does.
    private func change(
        _ client: TestClients,
        at server: TestServer,
        _ change: @escaping @Sendable (inout Client) -> Void
    ) async throws {
        try await server.change { repositories in
            var record = try #require(try repositories.clients.find(client.id))
            change(&record)
            try repositories.clients.update(record)
        }
    }

    @Test func `redeems what was approved, as far as it is registered for it now`() async throws {
        try await TestServer.open { server in
            let codes = try await server.ask(as: .console, scope: "openid profile play")
            try await server.browser(of: .anna).decide("approve", codes)
            try await change(.console, at: server) { $0.scope = Scope([.profile, .email]) }

            let tokens = try await server.poll(codes, as: .console).json(TokenResponse.self)
            #expect(tokens.scope?.description == "profile")
            #expect(tokens.idToken == nil)
            let seen = try await server.introspect(tokens.accessToken.revealed, as: .console)
            #expect(seen.scope == "profile")
            // More than was granted is not given, whatever it is registered for.
            try await change(.console, at: server) { $0.scope = Scope([.openid, .profile, .email, ScopeWord("play")]) }
            let refreshed = try await server.refresh(tokens.refreshToken, as: .console).json(TokenResponse.self)
            #expect(refreshed.scope?.description == "openid profile play")
        }
    }

    @Test func `is held to it at each refresh`() async throws {
        try await TestServer.open { server in
            let first = try await server.signedIn(.console, scope: "openid profile play")
            try await change(.console, at: server) {
                $0.scope = Scope([.openid])
                $0.tokenFormat = .es256
                $0.audience = "https://other.example"
                $0.lifetimes.accessToken = 60
            }
            let second = try await server.refresh(first.refreshToken, as: .console).json(TokenResponse.self)
            #expect(second.scope?.description == "openid")
            #expect(second.expiresIn == 60)
            let token = try await server.read(second.accessToken.revealed)
            #expect(token.text("scope") == "openid")
            #expect(token.text("aud") == "https://other.example")
            let asked = try await server.refresh(second.refreshToken, as: .console, scope: "openid play")
            #expect(try asked.json(TokenResponse.self).scope?.description == "openid")
        }
    }

    @Test func `gets nothing once it is registered for nothing of what was approved`() async throws {
        try await TestServer.open { server in
            let codes = try await server.ask(as: .console, scope: "play")
            let tokens = try await server.signedIn(.console, scope: "play")
            try await server.browser(of: .anna).decide("approve", codes)
            try await change(.console, at: server) { $0.scope = Scope([.openid]) }
            #expect(try await server.poll(codes, as: .console).error == .invalidGrant)
            #expect(try await server.refresh(tokens.refreshToken, as: .console).error == .invalidGrant)
            // It is not over: the operator may have been wrong.
            try await change(.console, at: server) { $0.scope = Scope([ScopeWord("play")]) }
            #expect(try await server.refresh(tokens.refreshToken, as: .console).status == .ok)
        }
    }

    @Test func `loses its grant types at once`() async throws {
        try await TestServer.open { server in
            let codes = try await server.ask(as: .console)
            let tokens = try await server.signedIn(.console)
            try await server.browser(of: .anna).decide("approve", codes)
            try await change(.console, at: server) { $0.grantTypes = [.clientCredentials] }
            #expect(try await server.poll(codes, as: .console).error == .unauthorizedClient)
            #expect(try await server.refresh(tokens.refreshToken, as: .console).error == .unauthorizedClient)
        }
    }

    @Test func `does not get an earlier answer again that held more`() async throws {
        try await TestServer.open { server in
            let codes = try await server.ask(as: .console, scope: "openid play")
            try await server.browser(of: .anna).decide("approve", codes)
            let tokens = try await server.poll(codes, as: .console).json(TokenResponse.self)
            let other = try await server.signedIn(.console, scope: "openid play")
            #expect(try await server.refresh(other.refreshToken, as: .console).status == .ok)
            try await change(.console, at: server) { $0.scope = Scope([.openid]) }
            #expect(try await server.poll(codes, as: .console).error == .invalidGrant)
            #expect(try await server.refresh(other.refreshToken, as: .console).error == .invalidGrant)
            // Both sign-ins go on.
            let next = try await server.refresh(tokens.refreshToken, as: .console).json(TokenResponse.self)
            #expect(next.scope?.description == "openid")
        }
    }

    @Test func `gets no token of a domain by an earlier registration`() async throws {
        try await TestServer.withDomains { server in
            let device = try await server.newDevice()
            let services = server.server.services
            let credentials = PresentedCredentials(client: device.id, secret: device.secret, method: .clientSecretPost)
            let earlier = try await services.clients.authentication.device(credentials, from: nil)
            try await server.change { repositories in
                var record = try #require(try repositories.clients.find(device.id))
                record.dpop = .required
                try repositories.clients.update(record)
            }
            let grant = CrossPlatformClientGrant(
                store: services.store, tokens: services.tokens.issuer, policy: services.policy, clock: services.clock)
            let domain = TestDomain.radio.record(created: server.clock.date)
            await #expect(throws: RegistrationChangedError.self) {
                try await grant.redeem(for: earlier, domain, provenBy: nil)
            }
            #expect(try await server.rows(of: "access_tokens") == 0)
        }
    }

    @Test func `has no older token that says more than it may`() async throws {
        try await TestServer.open { server in
            let tokens = try await server.signedIn(.console, scope: "openid profile play")
            try await change(.console, at: server) { $0.scope = Scope([.profile, ScopeWord("play")]) }
            for client in [TestClients.console, .api] {
                let seen = try await server.introspect(tokens.accessToken.revealed, as: client)
                #expect(seen.active)
                #expect(seen.scope == "profile play")
            }
            let refresh = try #require(tokens.refreshToken)
            #expect(try await server.introspect(refresh.revealed, as: .console).scope == "profile play")
            #expect(try await !server.honours(tokens.accessToken))
        }
    }

    /// A node that has not heard of the change yet, and still has the old registration in memory.
    @Test func `gets what it is registered for in the database, whatever is in memory`() async throws {
        try await TestServer.open { server in
            let codes = try await server.ask(as: .console, scope: "openid play")
            let tokens = try await server.signedIn(.console, scope: "openid play")
            try await server.browser(of: .anna).decide("approve", codes)
            try await server.tamper("UPDATE clients SET scope = 'play' WHERE id = 'console'")
            let redeemed = try await server.poll(codes, as: .console).json(TokenResponse.self)
            #expect(redeemed.scope?.description == "play")
            let refreshed = try await server.refresh(tokens.refreshToken, as: .console).json(TokenResponse.self)
            #expect(refreshed.scope?.description == "play")
        }
    }

    @Test func `redeems no code at an address that is not registered in the database any more`() async throws {
        try await TestServer.openWithApps { server in
            let code = try await server.browser(of: .anna).code(for: .shop)
            try await server.tamper(
                "UPDATE clients SET redirects = REPLACE(redirects, 'done', 'gone') WHERE id = 'shop'")
            #expect(try await server.redeem(code, as: .shop).error == .invalidGrant)
        }
    }
}
