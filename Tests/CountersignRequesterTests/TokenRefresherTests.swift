import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

@Suite("The refresher of tokens")
struct TokenRefresherTests {
    let server: ScriptedServer
    let store = MemoryTokenStore()

    init() throws {
        server = try ScriptedServer(Self.renewed)
    }

    @Test func `hands out what is kept while it lives long enough`() async throws {
        try await store.save(kept(for: 60), for: key)
        #expect(try await refresher().signedIn() == kept(for: 60))
        #expect(server.transport.sent().isEmpty)
    }

    @Test func `renews the tokens before they end, and saves them first`() async throws {
        try await store.save(kept(for: 20), for: key)
        let signedIn = try await refresher().signedIn()
        #expect(signedIn.accessToken == AccessToken(revealing: "access-2"))
        #expect(signedIn.refreshToken == RefreshToken(revealing: "refresh-2"))
        #expect(signedIn.scope == Scope([.profile]))
        #expect(signedIn.expires == server.clock.date + 300)
        #expect(try await store.signedIn(for: key) == signedIn)

        let form = try #require(server.transport.sent(to: "/token").first).form
        #expect(form["grant_type"] == "refresh_token")
        #expect(form["refresh_token"] == "refresh-1")
        #expect(form["client_id"] == "kitchen-radio")
    }

    @Test func `keeps a refresh token that the server does not replace`() async throws {
        try await store.save(kept(for: 20), for: key)
        server.transport.reply(
            at: "/token",
            with: .json(TokenResponse(accessToken: AccessToken(revealing: "access-2"), expiresIn: nil))
        )
        let signedIn = try await refresher().refresh()
        #expect(signedIn.refreshToken == RefreshToken(revealing: "refresh-1"))
        #expect(signedIn.expires == nil)
    }

    @Test func `renews once for all who ask at the same time`() async throws {
        try await store.save(kept(for: 20), for: key)
        let refresher = refresher()
        let tokens = try await withThrowingTaskGroup(of: CompletedSignIn.self) { group in
            for _ in 1...20 { group.addTask { try await refresher.signedIn() } }
            return try await group.reduce(into: [CompletedSignIn]()) { $0.append($1) }
        }
        #expect(tokens.allSatisfy { $0.accessToken == AccessToken(revealing: "access-2") })
        #expect(server.transport.sent(to: "/token").count == 1)
    }

    @Test func `asks again with the same token when the answer was lost`() async throws {
        try await store.save(kept(for: 20), for: key)
        server.transport.reply(
            at: "/token",
            with: .failure(TransportError(.interrupted, because: "")), Self.renewed
        )
        let began = server.clock.instant
        _ = try await refresher().signedIn()
        #expect(server.transport.sent(to: "/token").map { $0.form["refresh_token"] } == ["refresh-1", "refresh-1"])
        // At once, and with limits that leave time for it: the server gives the same answer for ten seconds only.
        #expect(server.clock.instant == began)
        #expect(server.transport.sent(to: "/token").allSatisfy { $0.limit < .seconds(10) })
    }

    @Test func `signs out here when the server does not renew`() async throws {
        try await store.save(kept(for: 20), for: key)
        server.transport.reply(at: "/token", with: .error(.invalidGrant))
        await #expect(throws: SignInError(.signedOut, because: "")) { try await refresher().signedIn() }
        #expect(await store.load(key) == nil)
    }

    @Test func `keeps the tokens of an account that is locked, and goes on once it is unlocked`() async throws {
        try await store.save(kept(for: 20), for: key)
        server.transport.reply(at: "/token", with: .error(.accessDenied), Self.renewed)
        let refresher = refresher()
        let error = await #expect(throws: SignInError(.accountLocked, because: "")) { try await refresher.signedIn() }
        #expect(error?.isAccountLocked == true && error?.isTransient == false)
        #expect(try await store.signedIn(for: key) == kept(for: 20))
        #expect(try await refresher.signedIn().accessToken == AccessToken(revealing: "access-2"))
    }

    @Test func `takes what another process renewed while it waited for its turn`() async throws {
        try await store.save(kept(for: 20), for: key)
        let (store, key) = (store, key)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let another = Task {
            try await store.exclusively(for: key) {
                begin.finish()
                for await _ in ended {}
                try await store.save(Self.fromElsewhere, for: key)
            }
        }
        for await _ in begun {}
        let refresher = refresher()
        let caller = Task { try await refresher.signedIn() }
        // It has seen that the tokens end soon, and waits.
        while await refresher.isRenewing == false { await Task.yield() }
        end.finish()
        try await another.value
        #expect(try await caller.value == Self.fromElsewhere)
        #expect(server.transport.sent(to: "/token").isEmpty)
    }

    @Test func `takes what somebody renewed who does not wait for their turn`() async throws {
        try await store.save(kept(for: 20), for: key)
        let transport = OvertakenTransport(server.transport) { [store, key] in
            try? await store.save(Self.fromElsewhere, for: key)
        }
        server.transport.reply(at: "/token", with: .error(.invalidGrant))
        #expect(try await refresher(over: transport).refresh() == Self.fromElsewhere)
    }

    @Test func `renews in place of a token that was refused, and of no other`() async throws {
        try await store.save(kept(for: 60), for: key)
        let refresher = refresher()
        let refused = AccessToken(revealing: "access-1")
        let renewed = try await refresher.refresh(insteadOf: refused)
        #expect(renewed.accessToken == AccessToken(revealing: "access-2"))
        #expect(try await refresher.refresh(insteadOf: refused) == renewed)
        #expect(server.transport.sent(to: "/token").count == 1)
    }

    @Test func `saves later what it could not save at once, before anybody gets it`() async throws {
        let store = FailingTokenStore()
        try await store.save(kept(for: 20), for: key)
        let refresher = refresher(of: store)
        await store.fail(saving: .notWritten)
        await #expect(throws: SignInError(.notStored, because: "")) { try await refresher.signedIn() }
        await #expect(throws: SignInError(.notStored, because: "")) { try await refresher.signedIn() }
        await store.fail(saving: nil)
        let signedIn = try await refresher.signedIn()
        #expect(signedIn.accessToken == AccessToken(revealing: "access-2"))
        #expect(try await store.signedIn(for: key) == signedIn)
        #expect(server.transport.sent(to: "/token").count == 1)
    }

    @Test func `gives way to a new sign-in when it could not save its renewal`() async throws {
        let store = FailingTokenStore()
        try await store.save(kept(for: 20), for: key)
        let refresher = refresher(of: store)
        await store.fail(saving: .notWritten)
        await #expect(throws: SignInError(.notStored, because: "")) { try await refresher.signedIn() }
        await store.fail(saving: nil)
        try await store.save(Self.fromElsewhere, for: key)
        #expect(try await refresher.signedIn() == Self.fromElsewhere)
        #expect(try await store.signedIn(for: key) == Self.fromElsewhere)
        #expect(server.transport.sent(to: "/token").count == 1)
    }

    @Test func `tells who watches the store`() async throws {
        try await store.save(kept(for: 20), for: key)
        var changes = store.changes.makeAsyncIterator()
        _ = try await refresher().signedIn()
        #expect(await changes.next() == key)
        _ = try await refresher().signOut()
        #expect(await changes.next() == key)
    }

    @Test func `keeps the sign-in when the network is away`() async throws {
        try await store.save(kept(for: 20), for: key)
        server.transport.reply(at: "/token", with: .failure(TransportError(.notReached, because: "")))
        await #expect(throws: SignInError(.notReachable, because: "")) { try await refresher().signedIn() }
        #expect(await store.load(key) != nil)
    }

    @Test func `finishes a renewal whose caller went away`() async throws {
        try await store.save(kept(for: 20), for: key)
        server.transport.reply(
            at: "/token",
            with: .failure(TransportError(.notReached, because: "")), Self.renewed
        )
        let context = RequesterContext(over: server.transport, clock: server.clock.source, random: .system)
        let refresher = server.refresher(of: store, in: context)
        let caller = Task { try await refresher.refresh() }
        await server.clock.sleepers()
        caller.cancel()
        await #expect(throws: SignInError(.cancelled, because: "")) { try await caller.value }

        server.clock.advance(by: .seconds(1))
        #expect(try await refresher.refresh().accessToken == AccessToken(revealing: "access-2"))
    }

    @Test func `revokes and removes the tokens to sign out`() async throws {
        try await store.save(kept(for: 60), for: key)
        #expect(try await refresher().signOut().isRevoked)
        #expect(server.revoked == ["refresh-1", "access-1"])
        #expect(await store.load(key) == nil)
    }

    @Test func `removes the tokens to sign out although the server is away`() async throws {
        try await store.save(kept(for: 60), for: key)
        server.transport.reply(at: "/revoke", with: .failure(TransportError(.notReached, because: "")))
        #expect(try await refresher().signOut().isRevoked == false)
        #expect(await store.load(key) == nil)
    }

    @Test func `says that nobody is signed in`() async throws {
        await #expect(throws: SignInError(.signedOut, because: "")) { try await refresher().signedIn() }
    }
}

extension TokenRefresherTests {
    static let renewed = ScriptedTransport.Reply.json(
        TokenResponse(
            accessToken: AccessToken(revealing: "access-2"),
            expiresIn: 300,
            refreshToken: RefreshToken(revealing: "refresh-2")
        )
    )

    var key: TokenStoreKey { server.signInKey }

    /// As another app or process would have saved it.
    static let fromElsewhere = CompletedSignIn(
        accessToken: AccessToken(revealing: "access-9"),
        refreshToken: RefreshToken(revealing: "refresh-9"),
        expires: nil,
        scope: .none,
        identity: nil
    )

    func refresher(of store: (any TokenStore)? = nil, over transport: (any HTTPTransport)? = nil) -> TokenRefresher {
        let network = transport ?? server.transport
        let context = RequesterContext(over: network, clock: server.clock.skipping, random: .system)
        return server.refresher(of: store ?? self.store, in: context)
    }

    func kept(for seconds: Double) -> CompletedSignIn {
        server.tokens(for: seconds, scope: Scope([.profile]))
    }
}

/// A network that runs something before each token request.
struct OvertakenTransport: HTTPTransport {
    private let base: ScriptedTransport
    private let overtake: @Sendable () async -> Void

    init(_ base: ScriptedTransport, _ overtake: @escaping @Sendable () async -> Void) {
        self.base = base
        self.overtake = overtake
    }

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        if request.path == "/token" { await overtake() }
        return try await base.send(request, body: body, within: limit)
    }
}
