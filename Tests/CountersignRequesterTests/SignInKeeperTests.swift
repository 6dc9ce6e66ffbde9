import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A keeper of a sign-in")
struct SignInKeeperTests {
    let server: ScriptedServer
    let store = MemoryTokenStore()

    init() throws {
        server = try ScriptedServer(Self.renewed)
    }

    @Test func `hands out what is kept while it lives long enough`() async throws {
        await store.save(kept(for: 60), for: key)
        #expect(try await keeper().signedIn() == kept(for: 60))
        #expect(server.transport.sent().isEmpty)
    }

    @Test func `renews the tokens before they end, and saves them first`() async throws {
        await store.save(kept(for: 20), for: key)
        let signedIn = try await keeper().signedIn()
        #expect(signedIn.accessToken == AccessToken(revealing: "access-2"))
        #expect(signedIn.refreshToken == RefreshToken(revealing: "refresh-2"))
        #expect(signedIn.scope == Scope([.profile]))
        #expect(signedIn.expires == server.clock.date + 300)
        #expect(await store.load(key) == signedIn)

        let form = try #require(server.transport.sent(to: "/token").first).form
        #expect(form["grant_type"] == "refresh_token")
        #expect(form["refresh_token"] == "refresh-1")
        #expect(form["client_id"] == "kitchen-radio")
    }

    @Test func `keeps a refresh token that the server does not replace`() async throws {
        await store.save(kept(for: 20), for: key)
        server.transport.reply(
            at: "/token",
            with: .json(TokenResponse(accessToken: AccessToken(revealing: "access-2"), expiresIn: nil))
        )
        let signedIn = try await keeper().refresh()
        #expect(signedIn.refreshToken == RefreshToken(revealing: "refresh-1"))
        #expect(signedIn.expires == nil)
    }

    @Test func `renews once for all who ask at the same time`() async throws {
        await store.save(kept(for: 20), for: key)
        let keeper = keeper()
        let tokens = try await withThrowingTaskGroup(of: SignedIn.self) { group in
            for _ in 1...20 { group.addTask { try await keeper.signedIn() } }
            return try await group.reduce(into: [SignedIn]()) { $0.append($1) }
        }
        #expect(tokens.allSatisfy { $0.accessToken == AccessToken(revealing: "access-2") })
        #expect(server.transport.sent(to: "/token").count == 1)
    }

    @Test func `asks again with the same token when the answer was lost`() async throws {
        await store.save(kept(for: 20), for: key)
        server.transport.reply(
            at: "/token",
            with: .failure(TransportError(.interrupted, because: "")), Self.renewed
        )
        _ = try await keeper().signedIn()
        #expect(server.transport.sent(to: "/token").map { $0.form["refresh_token"] } == ["refresh-1", "refresh-1"])
    }

    @Test func `signs out here when the server does not renew`() async throws {
        await store.save(kept(for: 20), for: key)
        server.transport.reply(at: "/token", with: .error(.invalidGrant))
        await #expect(throws: SignInError(.signedOut, because: "")) { try await keeper().signedIn() }
        #expect(await store.load(key) == nil)
    }

    @Test func `takes what another process renewed in the meantime`() async throws {
        let another = SignedIn(
            accessToken: AccessToken(revealing: "access-9"),
            refreshToken: RefreshToken(revealing: "refresh-9"),
            expires: nil,
            scope: .none,
            identity: nil
        )
        server.transport.reply(at: "/token", with: .error(.invalidGrant))
        let store = OvertakenTokenStore(first: kept(for: 20), then: another)
        let keeper = SignInKeeper(
            at: server.issuer,
            as: server.client,
            over: server.transport,
            keepingTokensIn: store,
            clock: server.clock.skipping
        )
        #expect(try await keeper.refresh() == another)
    }

    @Test func `keeps the sign-in when the network is away`() async throws {
        await store.save(kept(for: 20), for: key)
        server.transport.reply(at: "/token", with: .failure(TransportError(.notReached, because: "")))
        await #expect(throws: SignInError(.notReachable, because: "")) { try await keeper().signedIn() }
        #expect(await store.load(key) != nil)
    }

    @Test func `finishes a renewal whose caller went away`() async throws {
        await store.save(kept(for: 20), for: key)
        server.transport.reply(
            at: "/token",
            with: .failure(TransportError(.interrupted, because: "")), Self.renewed
        )
        let keeper = SignInKeeper(
            at: server.issuer,
            as: server.client,
            over: server.transport,
            keepingTokensIn: store,
            clock: server.clock.forRequester
        )
        let caller = Task { try await keeper.refresh() }
        await server.clock.sleepers()
        caller.cancel()
        await #expect(throws: SignInError(.cancelled, because: "")) { try await caller.value }

        server.clock.advance(by: .seconds(1))
        #expect(try await keeper.refresh().accessToken == AccessToken(revealing: "access-2"))
    }

    @Test func `revokes and removes the tokens to sign out`() async throws {
        await store.save(kept(for: 60), for: key)
        #expect(try await keeper().signOut())
        #expect(server.revoked == ["refresh-1", "access-1"])
        #expect(await store.load(key) == nil)
    }

    @Test func `removes the tokens to sign out although the server is away`() async throws {
        await store.save(kept(for: 60), for: key)
        server.transport.reply(at: "/revoke", with: .failure(TransportError(.notReached, because: "")))
        #expect(try await keeper().signOut() == false)
        #expect(await store.load(key) == nil)
    }

    @Test func `says that nobody is signed in`() async throws {
        await #expect(throws: SignInError(.signedOut, because: "")) { try await keeper().signedIn() }
    }
}

extension SignInKeeperTests {
    static let renewed = ScriptedTransport.Reply.json(
        TokenResponse(
            accessToken: AccessToken(revealing: "access-2"),
            expiresIn: 300,
            refreshToken: RefreshToken(revealing: "refresh-2")
        )
    )

    var key: TokenStoreKey { TokenStoreKey(issuer: server.issuer, client: server.client) }

    func keeper() -> SignInKeeper {
        SignInKeeper(
            at: server.issuer,
            as: server.client,
            over: server.transport,
            keepingTokensIn: store,
            clock: server.clock.skipping
        )
    }

    func kept(for seconds: TimeInterval) -> SignedIn {
        SignedIn(
            accessToken: AccessToken(revealing: "access-1"),
            refreshToken: RefreshToken(revealing: "refresh-1"),
            expires: server.clock.date + seconds,
            scope: Scope([.profile]),
            identity: nil
        )
    }
}

/// A store into which another process writes after it was first read.
actor OvertakenTokenStore: TokenStore {
    private let first: SignedIn
    private let then: SignedIn
    private var reads = 0

    init(first: SignedIn, then: SignedIn) {
        self.first = first
        self.then = then
    }

    func load(_ key: TokenStoreKey) -> SignedIn? {
        reads += 1
        return reads == 1 ? first : then
    }

    func save(_ signedIn: SignedIn, for key: TokenStoreKey) {}
    func remove(_ key: TokenStoreKey) {}
}
