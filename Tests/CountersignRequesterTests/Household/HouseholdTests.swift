import Countersign
import CountersignTesting
import CountersignWire
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

@Suite("The people of a screen")
struct HouseholdTests {
    let server: ScriptedServer
    let store = MemoryTokenStore()

    init() throws {
        server = try ScriptedServer()
    }

    private var household: Household { server.household(of: store) }

    private func names() async throws -> [String] {
        try await household.people().map { "\($0.identity.displayName)\($0.isCurrent ? "*" : "")" }
    }

    private func currentToken() async throws -> String? {
        try await store.signedIn(for: server.signInKey)?.accessToken.revealed
    }

    @Test func `are added one after another, and the last one is current`() async throws {
        #expect(try await household.people().isEmpty)
        try await server.add("ben", to: store)
        try await server.add("anna", to: store)
        #expect(try await names() == ["Anna*", "Ben"])
        try await server.add("carla", to: store)
        #expect(try await names() == ["Carla*", "Anna", "Ben"])
        #expect(try await currentToken() == "access-carla")
        #expect(await store.keys() == [server.signInKey])
        #expect(server.revoked.isEmpty)
        // Somebody who signs in again is there once.
        try await server.add("ben", to: store)
        #expect(try await names() == ["Ben*", "Anna", "Carla"])
    }

    @Test func `are changed without a request or a question while their tokens live`() async throws {
        try await server.add("anna", to: store)
        try await server.add("ben", to: store)
        let anna = try #require(try await server.person("anna", in: store))
        let before = server.transport.sent().count
        let result = await household.signIn(as: anna, for: ScriptedServer.openid).iterated()
        #expect(result.events == [.signedIn(try #require(anna.signedIn))] && result.finals == 1)
        #expect(server.transport.sent().count == before)
        #expect(try await names() == ["Anna*", "Ben"])
        #expect(try await currentToken() == "access-anna")
    }

    @Test(arguments: [([AuthenticationClass.number.rawValue], nil), ([], 60)] as [([String], Int?)])
    func `answer anew for what a service demands, although their tokens live`(
        acrValues: [String], maxAge: Int?
    ) async throws {
        try await server.add("anna", to: store, remembered: true)
        let anna = try #require(try await server.person("anna", in: store))
        try server.sign(in: "anna", remembered: true)
        server.allow([.push])
        let household = server.household(of: store, acrValues: acrValues, maxAge: maxAge)
        let result = await household.signIn(as: anna, for: ScriptedServer.openid).iterated()
        #expect(result.signedIn?.identity?.displayName == "Anna")
        #expect(server.asked.last?["id_token_hint"] == anna.rememberedPerson?.hint.revealed)
        #expect(server.asked.last?["acr_values"] == acrValues.first)
        #expect(server.asked.last?["max_age"] == maxAge?.description)
    }

    @Test func `answer only where the scope tells who has answered`() async throws {
        try await server.add("anna", to: store, remembered: true)
        let anna = try #require(try await server.person("anna", in: store))
        let other = Scope([.profile])
        #expect(await household.signIn(as: anna, for: other).iterated().signedIn != nil)
        try await household.signOut(anna)
        let before = server.asked.count
        let result = await household.signIn(as: anna, for: other).iterated()
        #expect(result.error == SignInError(.wayUnusable, because: "") && server.asked.count == before)
        #expect(result.error?.sentence.contains("openid") == true)
    }

    @Test func `have their tokens renewed before they are current again`() async throws {
        try await server.add("anna", to: store)
        try await server.add("ben", to: store)
        server.clock.advance(by: .seconds(400))
        server.transport.reply(at: "/token", with: TokenRefresherTests.renewed)
        let anna = try #require(try await server.person("anna", in: store))
        let result = await household.signIn(as: anna, for: ScriptedServer.openid).iterated()
        #expect(result.signedIn?.accessToken.revealed == "access-2")
        #expect(server.transport.sent(to: "/token").last?.form["refresh_token"] == "refresh-anna")
        #expect(try await currentToken() == "access-2")
        #expect(try await names() == ["Anna*", "Ben"])
    }

    @Test func `are asked on their devices without a code when they are remembered and signed out`() async throws {
        try await server.add("anna", to: store, remembered: true)
        try await server.add("ben", to: store)
        let signedIn = try #require(try await server.person("anna", in: store))
        #expect(try await household.signOut(signedIn).isRevoked)
        #expect(server.revoked == ["refresh-anna", "access-anna"])
        #expect(try await names() == ["Ben*", "Anna"])
        let anna = try #require(try await server.person("anna", in: store))
        #expect(anna.signedIn == nil && anna.rememberedPerson != nil)

        try server.sign(in: "anna", remembered: true)
        server.allow([.push, .code])
        let result = await household.signIn(as: anna, for: ScriptedServer.openid).iterated()
        #expect(result.signedIn?.identity?.displayName == "Anna")
        #expect(server.asked.last?["id_token_hint"] == anna.rememberedPerson?.hint.revealed)
        #expect(result.events.contains(.began(.push)))
        #expect(!result.events.contains { if case .invitation = $0 { true } else { false } })
        #expect(try await names() == ["Anna*", "Ben"])
    }

    @Test func `sign in like everybody once the server remembers them no more, and are forgotten`() async throws {
        try await server.add("anna", to: store, remembered: true)
        try await household.signOut(try #require(try await server.person("anna", in: store)))
        let anna = try #require(try await server.person("anna", in: store))
        server.rememberNobody()
        server.transport.reply(at: "/token", with: .error(.accessDenied))
        let result = await household.signIn(as: anna, for: ScriptedServer.openid).iterated()
        #expect(result.error == SignInError(.denied, because: ""))
        #expect(result.events.contains { if case .invitation = $0 { true } else { false } })
        // It is said once, before the code is shown.
        let end = SignInEvent.ended(.push, SignInError(.notRemembered, because: ""))
        #expect(result.events.prefix(2) == [.discovering, end] && result.events.count { $0 == end } == 1)
        #expect(try await household.people().isEmpty)
        #expect(await store.keys().isEmpty)
    }

    @Test func `hear that they are remembered no more where nothing else was wanted`() async throws {
        try await server.add("anna", to: store, remembered: true)
        try await household.signOut(try #require(try await server.person("anna", in: store)))
        let anna = try #require(try await server.person("anna", in: store))
        server.rememberNobody()
        server.transport.reply(at: "/token", with: .silence)
        let household = server.household(of: store) { $0.ways = [.push] }
        let result = await household.signIn(as: anna, for: ScriptedServer.openid).iterated()
        #expect(result.error == SignInError(.notRemembered, because: "") && result.finals == 1)
        #expect(try await household.people().isEmpty)
    }

    @Test func `are the ones who were chosen, also by a code that follows a request that has expired`() async throws {
        for name in ["anna", "ben"] {
            let store = MemoryTokenStore()
            try await server.add("anna", to: store, remembered: true)
            try await server.household(of: store).signOut(try #require(try await server.person("anna", in: store)))
            let anna = try #require(try await server.person("anna", in: store))
            server.allow([.push, .code])
            server.transport.reply(
                at: "/token", with: .error(.expiredToken), ScriptedServer.granted(try server.idToken(of: name)))
            let household = server.household(of: store) { $0.renewals = 1 }
            let result = await household.signIn(as: anna, for: ScriptedServer.openid).iterated()
            #expect(result.events.contains { if case .invitation = $0 { true } else { false } } && result.finals == 1)
            if name == "anna" {
                #expect(result.signedIn?.identity?.displayName == "Anna")
            } else {
                #expect(result.error == SignInError(.anotherPerson, because: ""))
                #expect(server.revoked.suffix(2) == ["refresh-1", "access-1"])
                #expect(try await household.people().allSatisfy { $0.signedIn == nil })
            }
        }
    }

    @Test func `end a sign-in that names them by denying it, and no code follows`() async throws {
        try await server.add("anna", to: store, remembered: true)
        try await household.signOut(try #require(try await server.person("anna", in: store)))
        let anna = try #require(try await server.person("anna", in: store))
        server.allow([.push, .code])
        server.transport.reply(at: "/token", with: .error(.accessDenied))
        let household = server.household(of: store) { $0.renewals = 3 }
        let result = await household.signIn(as: anna, for: ScriptedServer.openid).iterated()
        #expect(result.error == SignInError(.denied, because: "") && result.finals == 1)
        #expect(!result.events.contains { if case .invitation = $0 { true } else { false } })
    }

    @Test func `are not taken for one another`() async throws {
        try await server.add("anna", to: store, remembered: true)
        try await household.signOut(try #require(try await server.person("anna", in: store)))
        let anna = try #require(try await server.person("anna", in: store))
        try server.sign(in: "ben")
        server.allow([.push])
        let result = await household.signIn(as: anna, for: ScriptedServer.openid).iterated()
        #expect(result.error == SignInError(.anotherPerson, because: "") && result.finals == 1)
        #expect(!result.events.contains { if case .confirming = $0 { true } else { false } })
        #expect(server.revoked.suffix(2) == ["refresh-ben", "access-ben"])
        #expect(try await names() == ["Anna"])
    }

    @Test func `go at the end that they chose`() async throws {
        try await server.add("ben", to: store)
        try await server.add("anna", to: store, until: 900)
        let start = server.clock.date
        let guest = try #require(try await server.person("anna", in: store))
        #expect(guest.signedIn?.ends.map { abs($0.timeIntervalSince(start)) <= 905 } == true)
        server.clock.advance(by: .seconds(910))
        #expect(try await names() == ["Ben"])
        #expect(try await store.signedIn(for: server.signInKey) == nil)
        await #expect(throws: SignInError(.signedOut, because: "")) {
            try await server.refresher(of: store).signedIn()
        }
        #expect(server.transport.sent(to: "/token").allSatisfy { $0.form["grant_type"] != "refresh_token" })
    }

    @Test func `are signed out at the server, too, after the end that they chose`() async throws {
        try await server.add("anna", to: store, until: 900)
        let guest = try #require(try await server.person("anna", in: store))
        server.clock.advance(by: .seconds(910))
        #expect(try await household.signOut(guest).isRevoked)
        #expect(server.revoked == ["refresh-anna", "access-anna"])
        #expect(await store.keys().isEmpty)
    }

    @Test func `are forgotten after that end, and it is said that the server was away`() async throws {
        try await server.add("anna", to: store, remembered: true, until: 900)
        let guest = try #require(try await server.person("anna", in: store))
        server.clock.advance(by: .seconds(910))
        for path in [ScriptedServer.path, ScriptedServer.secondPath] {
            server.transport.reply(at: path, with: .failure(TransportError(.notReached, because: "no route")))
        }
        #expect(try await !household.signOut(guest, forgetting: true).isRevoked)
        #expect(await store.keys().isEmpty)
    }

    @Test func `have tokens at the same time, each their own`() async throws {
        try await server.add("anna", to: store)
        try await server.add("ben", to: store)
        let anna = try #require(try await server.person("anna", in: store))
        #expect(try await household.tokens(of: anna).signedIn().accessToken.revealed == "access-anna")
        server.transport.reply(at: "/token", with: TokenRefresherTests.renewed)
        #expect(try await household.tokens(of: anna).refresh().accessToken.revealed == "access-2")
        #expect(try await currentToken() == "access-ben")
        #expect(try await server.person("anna", in: store)?.signedIn?.accessToken.revealed == "access-2")
        // The refresher of the app follows the current person.
        let tokens = server.refresher(of: store)
        #expect(try await tokens.signedIn().accessToken.revealed == "access-ben")
        _ = await household.signIn(as: anna, for: ScriptedServer.openid).iterated()
        #expect(try await tokens.signedIn().accessToken.revealed == "access-2")
    }

    @Test func `are forgotten when that is wanted`() async throws {
        try await server.add("anna", to: store, remembered: true)
        let anna = try #require(try await server.person("anna", in: store))
        try await household.signOut(anna)
        #expect(try await names() == ["Anna"])
        let result = try await household.signOut(anna, forgetting: true)
        #expect(result == SignOutResult(isRevoked: true, session: .untouched))
        #expect(await store.keys().isEmpty)
        await #expect(throws: SignInError(.signedOut, because: "")) { try await household.signOut(anna) }
    }

    @Test func `stay when a person alone signs in in place of the current one`() async throws {
        try await server.add("anna", to: store)
        try await server.add("ben", to: store)
        try server.sign(in: "carla")
        _ = try await server.signIn(for: ScriptedServer.openid, keepingTokensIn: store).run().result.get()
        #expect(try await names() == ["Carla*", "Anna"])
    }
}
