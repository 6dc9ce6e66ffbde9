import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

/// Standard: RFC 6749 §6.
@Suite("Tokens for a part of the granted scope")
struct PartialScopeTests {
    private static let whole = Scope([.openid, .profile])
    private static let part = Scope([.profile])

    let server: ScriptedServer
    let store = MemoryTokenStore()

    init() throws {
        server = try ScriptedServer(Self.answer("2", Self.part))
    }

    private static func answer(_ name: String, _ scope: Scope?) -> ScriptedTransport.Reply {
        .json(
            TokenResponse(
                accessToken: AccessToken(revealing: "access-\(name)"), expiresIn: 300,
                refreshToken: RefreshToken(revealing: "refresh-\(name)"), scope: scope))
    }

    private var key: TokenStoreKey { server.signInKey }

    /// What the next start of an app makes.
    private var refresher: TokenRefresher { server.refresher(of: store, attempts: 1) }

    /// The scopes that were asked for, empty for all.
    private var asked: [String] { server.transport.sent(to: "/token").map { $0.form["scope"] ?? "" } }

    /// The refresh tokens that were used.
    private var refreshed: [String?] { server.transport.sent(to: "/token").map { $0.form["refresh_token"] } }

    private func save(for seconds: TimeInterval = 60) async throws {
        try await store.save(server.tokens(for: seconds, scope: Self.whole), for: key)
    }

    @Test func `are asked for once, and leave those of the whole as they are`() async throws {
        try await save()
        let part = try await refresher.signedIn(for: Scope([.email, .profile]))
        #expect(part.accessToken == AccessToken(revealing: "access-2") && part.refreshToken == nil)
        #expect(part.scope == Self.part && part.expires == server.clock.date + 300)
        let kept = try #require(try await store.signedIn(for: key))
        #expect(kept.accessToken == AccessToken(revealing: "access-1") && kept.scope == Self.whole)
        #expect(kept.refreshToken == RefreshToken(revealing: "refresh-2"))
        #expect(try await refresher.signedIn(for: Self.part) == part)
        #expect(asked == ["profile"])
    }

    @Test func `are those of the whole where that is no larger`() async throws {
        try await save()
        let all = Scope([.email, .profile, .openid])
        #expect(try await refresher.signedIn(for: all).accessToken == AccessToken(revealing: "access-1"))
        #expect(asked.isEmpty)
        server.transport.reply(at: "/token", with: Self.answer("2", nil))
        let renewed = try await refresher.signedIn(for: all, insteadOf: AccessToken(revealing: "access-1"))
        #expect(renewed.accessToken == AccessToken(revealing: "access-2") && asked == [""])
    }

    @Test func `are renewed when they end, and when they were refused`() async throws {
        server.transport.reply(
            at: "/token", with: Self.answer("2", Self.part), Self.answer("3", Self.part), Self.answer("4", Self.part))
        try await save()
        let refused = AccessToken(revealing: "access-2")
        #expect(try await refresher.signedIn(for: Self.part).accessToken == refused)
        let third = try await refresher.signedIn(for: Self.part, insteadOf: refused)
        #expect(third.accessToken == AccessToken(revealing: "access-3"))
        // The refused one is another now.
        #expect(try await refresher.signedIn(for: Self.part, insteadOf: refused) == third)
        server.clock.advance(by: .seconds(280))
        #expect(try await refresher.signedIn(for: Self.part).accessToken == AccessToken(revealing: "access-4"))
        #expect(refreshed == ["refresh-1", "refresh-2", "refresh-3"])
    }

    @Test func `are asked for once by all who need them at the same time`() async throws {
        try await save()
        let refresher = refresher
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for _ in 1...20 { group.addTask { try await refresher.signedIn(for: Self.part).accessToken } }
            return try await group.reduce(into: [AccessToken]()) { $0.append($1) }
        }
        #expect(tokens.count == 20 && tokens.allSatisfy { $0 == AccessToken(revealing: "access-2") })
        #expect(asked.count == 1)
    }

    @Test func `end with those of the whole, and are let go alone`() async throws {
        server.transport.reply(at: "/token", with: Self.answer("2", Self.part), Self.answer("3", Self.part))
        try await save()
        _ = try await refresher.signedIn(for: Self.part)
        try await store.expire(AccessToken(revealing: "guessed"), for: key)
        _ = try await refresher.signedIn(for: Self.part)
        #expect(asked.count == 1)
        try await store.expire(AccessToken(revealing: "access-2"), for: key)
        let kept = try #require(try await store.signedIn(for: key))
        #expect(kept.expires == server.clock.date + 60)
        #expect(try await refresher.signedIn(for: Self.part).accessToken == AccessToken(revealing: "access-3"))
        _ = try await refresher.signOut()
        #expect(server.revoked == ["refresh-3", "access-1", "access-3"])
        await #expect(throws: SignInError(.signedOut, because: "")) { try await refresher.signedIn(for: Self.part) }
        #expect(await store.load(key) == nil)
    }

    @Test func `are none where no word was granted`() async throws {
        try await save()
        for scope in [Scope([.email]), .none] {
            await #expect(throws: SignInError(.scopeRefused, because: "")) { try await refresher.signedIn(for: scope) }
        }
        #expect(asked.isEmpty)
    }

    @Test func `are not handed out where the server grants more than was asked for`() async throws {
        server.transport.reply(at: "/token", with: Self.answer("2", Self.whole))
        try await save()
        await #expect(throws: SignInError(.scopeRefused, because: "")) { try await refresher.signedIn(for: Self.part) }
        // The old refresh token is spent.
        #expect(try await store.signedIn(for: key)?.refreshToken == RefreshToken(revealing: "refresh-2"))
    }

    @Test func `are none where the whole cannot be renewed`() async throws {
        try await store.save(
            CompletedSignIn(
                accessToken: AccessToken(revealing: "access-1"), refreshToken: nil, expires: nil, scope: Self.whole,
                identity: nil), for: key)
        await #expect(throws: SignInError(.scopeRefused, because: "")) { try await refresher.signedIn(for: Self.part) }
        #expect(asked.isEmpty)
    }

    @Test func `come after a lost answer to a request for everything`() async throws {
        server.transport.reply(
            at: "/token", with: .error(.invalidScope), Self.answer("2", Self.whole), Self.answer("3", Self.part))
        try await save()
        let part = try await refresher.signedIn(for: Self.part)
        #expect(part.accessToken == AccessToken(revealing: "access-3") && asked == ["profile", "", "profile"])
        #expect(try await store.signedIn(for: key)?.accessToken == AccessToken(revealing: "access-2"))
    }

    @Test func `are no end of the larger scope when their lost answer comes to a request for everything`() async throws
    {
        server.transport.reply(at: "/token", with: Self.answer("2", Self.part), Self.answer("3", Self.whole))
        try await save()
        let renewed = try await refresher.refresh()
        #expect(renewed.accessToken == AccessToken(revealing: "access-3") && renewed.scope == Self.whole)
        #expect(asked == ["", ""])
    }

    @Test func `are asked for again when the lost answer to a request for less comes`() async throws {
        let larger = Scope([.openid, .profile, .email])
        try await store.save(server.tokens(for: 60, scope: larger), for: key)
        server.transport.reply(at: "/token", with: Self.answer("2", Self.part), Self.answer("3", Self.whole))
        let part = try await refresher.signedIn(for: Self.whole)
        #expect(part.accessToken == AccessToken(revealing: "access-3") && part.scope == Self.whole)
        #expect(refreshed == ["refresh-1", "refresh-2"])
        #expect(try await refresher.signedIn(for: Self.whole) == part && asked.count == 2)
    }

    @Test func `have less scope where the server grants less twice`() async throws {
        let larger = Scope([.openid, .profile, .email])
        try await store.save(server.tokens(for: 60, scope: larger), for: key)
        server.transport.reply(at: "/token", with: Self.answer("2", Self.part), Self.answer("3", Self.part))
        let part = try await refresher.signedIn(for: Self.whole)
        #expect(part.accessToken == AccessToken(revealing: "access-3") && part.scope == Self.part)
        #expect(try await refresher.signedIn(for: Self.whole) == part && asked.count == 2)
    }

    @Test func `leave the larger scope to the sign-in when a request for everything fails after their lost answer`()
        async throws
    {
        let away = ScriptedTransport.Reply.failure(TransportError(.notReached, because: "no route"))
        server.transport.reply(at: "/token", with: Self.answer("2", Self.part), away)
        try await save()
        await #expect(throws: SignInError(.notReachable, because: "")) { try await refresher.refresh() }
        let kept = try #require(try await store.signedIn(for: key))
        #expect(kept.scope == Self.whole && kept.refreshToken == RefreshToken(revealing: "refresh-2"))
        server.transport.reply(at: "/token", with: Self.answer("3", Self.whole))
        #expect(try await refresher.refresh().accessToken == AccessToken(revealing: "access-3"))
    }

    @Test func `are no tokens of the whole where another process has renewed that meanwhile`() async throws {
        server.transport.reply(at: "/token", with: .error(.invalidGrant), Self.answer("3", Self.part))
        try await save()
        let (store, key, newer) = (store, key, server.tokens("2", for: 60, scope: Self.whole))
        let network = OvertakingTransport(network: server.transport) { try? await store.save(newer, for: key) }
        let context = RequesterContext(over: network, clock: server.clock.skipping, random: .system)
        let part = try await server.refresher(of: store, attempts: 1, in: context).signedIn(for: Self.part)
        #expect(part.accessToken == AccessToken(revealing: "access-3") && part.scope == Self.part)
        #expect(refreshed == ["refresh-1", "refresh-2"])
    }

    @Test func `are missing in what an older version stored`() async throws {
        let older = #"{"accessToken":"access-1","refreshToken":"refresh-1","expires":1,"scope":"openid profile"}"#
        await store.save(Array(older.utf8), for: key)
        #expect(try await refresher.signedIn(for: Self.part).accessToken == AccessToken(revealing: "access-2"))
    }

    @Test func `end the sign-in here when the server does not renew it`() async throws {
        server.transport.reply(at: "/token", with: .error(.invalidGrant))
        try await save()
        await #expect(throws: SignInError(.signedOut, because: "")) { try await refresher.signedIn(for: Self.part) }
        #expect(await store.load(key) == nil)
    }
}

/// A network on which another process, which takes no lock, stores newer tokens before the first answer comes.
private struct OvertakingTransport: HTTPTransport {
    let network: ScriptedTransport
    let overtake: @Sendable () async -> Void

    func send(
        _ request: HTTPRequest, body: [UInt8], within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        if request.path == "/token", network.sent(to: "/token").isEmpty { await overtake() }
        return try await network.send(request, body: body, within: limit)
    }
}
