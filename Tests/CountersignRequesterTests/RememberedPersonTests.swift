import Countersign
import CountersignTesting
import CountersignWire
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

@Suite("A person who is remembered on a screen")
struct RememberedPersonTests {
    let server: ScriptedServer

    init() throws {
        server = try ScriptedServer()
    }

    private func signedIn(remembered: Bool, for scope: Scope = ScriptedServer.openid) async throws -> CompletedSignIn {
        try server.sign(in: "anna", remembered: remembered)
        return try await server.signIn(for: scope).run().result.get()
    }

    private func renewal(_ idToken: UnverifiedIDToken?, until seconds: Int? = nil) -> TokenResponse {
        TokenResponse(
            accessToken: AccessToken(revealing: "access-2"), expiresIn: 300, idToken: idToken,
            authorizationExpiresIn: seconds)
    }

    @Test func `chose that, as their verified ID token says`() async throws {
        let signedIn = try await signedIn(remembered: true)
        #expect(signedIn.rememberedPerson != nil && signedIn.rememberedPerson?.hint == signedIn.idToken)
        #expect(try await self.signedIn(remembered: false).rememberedPerson == nil)
        // Nobody was verified, so nobody is remembered.
        #expect(try await self.signedIn(remembered: true, for: Scope([.profile])).rememberedPerson == nil)
    }

    @Test func `is remembered until a renewal says otherwise`() async throws {
        let first = try await signedIn(remembered: true)
        let now = server.clock.date
        #expect(first.refreshed(by: renewal(nil), at: now).rememberedPerson == first.rememberedPerson)
        let still = try server.idToken(of: "anna", remembered: true)
        #expect(first.refreshed(by: renewal(still), at: now).rememberedPerson?.hint == still)
        let ended = try server.idToken(of: "anna")
        #expect(first.refreshed(by: renewal(ended), at: now).rememberedPerson == nil)
    }

    @Test func `is not replaced by the token of another person, or by no token`() async throws {
        let first = try await signedIn(remembered: true)
        for strange in [try server.idToken(of: "ben", remembered: true), UnverifiedIDToken(revealing: "a.b.c")] {
            let renewed = first.refreshed(by: renewal(strange), at: server.clock.date)
            #expect(renewed.rememberedPerson == first.rememberedPerson)
        }
    }

    @Test func `is stored with the end of the sign-in`() async throws {
        let store = MemoryTokenStore()
        try server.sign(in: "anna", remembered: true, until: 3_600)
        let signedIn = try await server.signIn(for: ScriptedServer.openid, keepingTokensIn: store).run().result.get()
        #expect(signedIn.ends != nil && signedIn.ends == signedIn.expires.map { $0 + 3_300 })
        let kept = try #require(try await store.signedIn(for: server.signInKey))
        #expect(kept.ends == signedIn.ends && kept.rememberedPerson == signedIn.rememberedPerson)
        let renewed = kept.refreshed(by: renewal(nil), at: server.clock.date)
        #expect(renewed.ends == signedIn.ends)
        #expect(kept.refreshed(by: renewal(nil, until: 60), at: server.clock.date).ends == server.clock.date + 60)
    }
}
