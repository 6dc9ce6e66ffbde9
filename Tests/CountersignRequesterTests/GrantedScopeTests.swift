import Countersign
import CountersignTesting
import CountersignWire
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

/// Standard: RFC 6749 §5.1.
@Suite("The granted scope of a sign-in")
struct GrantedScopeTests {
    private static let asked = Scope([.profile, .email, .offlineAccess])

    private func signedIn(
        granted scope: Scope?,
        refreshToken: String? = nil
    ) async throws -> (signedIn: CompletedSignIn, sentence: String?) {
        let server = try ScriptedServer(
            .json(
                TokenResponse(
                    accessToken: AccessToken(revealing: "access-1"), expiresIn: 300,
                    refreshToken: refreshToken.map { RefreshToken(revealing: $0) }, scope: scope)))
        let result = await server.signIn(for: Self.asked).iterated()
        return (try #require(result.signedIn), result.events.last?.sentence)
    }

    @Test func `is the requested one where the server names none`() async throws {
        let (signedIn, sentence) = try await signedIn(granted: nil)
        #expect(signedIn.scope == Self.asked && signedIn.notGranted.isEmpty)
        #expect(sentence == "This device is signed in.")
    }

    @Test func `is not smaller because of its order, or because there is more of it`() async throws {
        let more = Scope([.email, .openid, .offlineAccess, .profile])
        let (signedIn, sentence) = try await signedIn(granted: more)
        #expect(signedIn.scope == more && signedIn.notGranted.isEmpty)
        #expect(sentence == "This device is signed in.")
    }

    @Test func `is compared with the requested one, and what is missing is said`() async throws {
        let (signedIn, sentence) = try await signedIn(granted: Scope([.profile]))
        #expect(signedIn.notGranted == Scope([.email, .offlineAccess]))
        #expect(sentence?.hasPrefix("This device is signed in. Not granted: email, offline_access. ") == true)
        let none = try await self.signedIn(granted: Scope.none)
        #expect(none.signedIn.notGranted == Self.asked)
    }

    @Test func `has offline access where there is a refresh token`() async throws {
        let (signedIn, _) = try await signedIn(granted: Scope([.profile]), refreshToken: "refresh-1")
        #expect(signedIn.notGranted == Scope([.email]))
    }

    @Test func `of stored tokens is compared with the one that is asked for now`() async throws {
        let (server, store) = (try ScriptedServer(), MemoryTokenStore())
        try await server.add("anna", to: store)
        let anna = try #require(try await server.person("anna", in: store))
        #expect(anna.signedIn?.notGranted.isEmpty == true)
        let result = await server.household(of: store).signIn(as: anna, for: Scope([.openid, .email])).iterated()
        #expect(result.signedIn?.notGranted == Scope([.email]))
        #expect(result.events.last?.sentence?.hasPrefix("Signed in as Anna. Not granted: email. ") == true)
    }
}
