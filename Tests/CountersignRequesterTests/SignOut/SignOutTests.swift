import Countersign
import CountersignTesting
import CountersignWire
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

/// Standard: OpenID Connect RP-Initiated Logout 1.0 §2, §3.
@Suite("Signing out with the browser")
struct SignOutTests {
    let server: ScriptedServer
    let store = MemoryTokenStore()

    init() throws {
        server = try ScriptedServer()
    }

    /// Signs Anna in at a server whose page for signing out has this address.
    private func signIn(page: String? = "https://id.example.com/end_session", remembered: Bool = false) async throws {
        var metadata = server.metadata
        metadata.endSessionEndpoint = page
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        try await server.add("anna", to: store, remembered: remembered)
    }

    private var refresher: TokenRefresher {
        server.refresher(
            of: store, in: RequesterContext(over: server.transport, clock: server.clock.source, random: .system))
    }

    /// Begins to sign out, until the page is open.
    private func begun() async -> (browser: ScriptedBrowser, task: Task<SignOutResult, any Error>) {
        let (browser, refresher) = (ScriptedBrowser(), refresher)
        let task = Task { try await refresher.signOut(endingSessionIn: browser) }
        await browser.isOpened()
        return (browser, task)
    }

    private func parameters(of browser: ScriptedBrowser) throws -> Form {
        let address = try #require(browser.opened.first).absoluteString
        return try Form(parsing: Array(address.split(separator: "?", maxSplits: 1)[1].utf8))
    }

    @Test(arguments: ["https://id.example.com/end_session", "https://id.example.com/end_session?theme=dark"])
    func `ends the tokens first, and the session on the server's page`(page: String) async throws {
        try await signIn(page: page)
        let idToken = try #require(try await store.signedIn(for: server.signInKey)?.idToken)
        let (browser, task) = await begun()
        #expect(server.revoked == ["refresh-anna", "access-anna"])
        #expect(await store.keys().isEmpty)
        let asked = try parameters(of: browser)
        #expect(browser.opened.first?.absoluteString.hasPrefix(page) == true)
        #expect(asked["id_token_hint"] == idToken.revealed && asked["client_id"] == "kitchen-radio")
        #expect(asked["post_logout_redirect_uri"] == ScriptedBrowser.redirectURI)
        let state = try #require(asked["state"])
        #expect(state.count >= 22)
        for query in ["", "state=x", "state=\(state)&state=\(state)", "state=\(state)x"] {
            #expect(await !browser.comeBack(query), "\(query)")
        }
        #expect(await !browser.comeBack("state=\(state)", to: "http://127.0.0.1:49152/other"))
        #expect(await browser.comeBack("state=\(state)"))
        #expect(try await task.value == SignOutResult(isRevoked: true, session: .ended))
        #expect(browser.ends == 1)
    }

    @Test(arguments: [true, false])
    func `keeps the ID token of a remembered person out of the address`(remembered: Bool) async throws {
        try await signIn(remembered: remembered)
        let (browser, task) = await begun()
        let asked = try parameters(of: browser)
        #expect((asked["id_token_hint"] == nil) == remembered && asked["client_id"] == "kitchen-radio")
        #expect(await browser.comeBack("state=\(try #require(asked["state"]))"))
        #expect(try await task.value.session == .ended)
    }

    @Test func `leaves the browser alone unless it is named`() async throws {
        try await signIn()
        #expect(try await refresher.signOut() == SignOutResult(isRevoked: true, session: .untouched))
    }

    @Test(arguments: [nil, "http://id.example.com/end_session", "javascript:alert(1)"])
    func `says that the server has no page for it`(page: String?) async throws {
        try await signIn(page: page)
        let browser = ScriptedBrowser()
        #expect(try await refresher.signOut(endingSessionIn: browser).session == .notOffered)
        #expect(browser.opened.isEmpty && server.revoked.count == 2)
    }

    @Test(arguments: [true, false])
    func `says that no browser could be used`(isReachable: Bool) async throws {
        try await signIn()
        let browser = ScriptedBrowser(at: nil, isReachable: isReachable)
        let result = try await refresher.signOut(endingSessionIn: browser)
        #expect(result.session == .unconfirmed(SignInError(.browserNotOpened, because: "")))
        #expect(result.isRevoked && browser.ends == (isReachable ? 1 : 0))
        #expect(await store.keys().isEmpty)
    }

    @Test func `says that the person closed the page`() async throws {
        try await signIn()
        let (browser, task) = await begun()
        browser.close()
        #expect(try await task.value.session == .unconfirmed(SignInError(.cancelled, because: "")))
    }

    @Test func `waits five minutes for the browser`() async throws {
        try await signIn()
        let (browser, task) = await begun()
        await server.clock.sleepers()
        server.clock.advance(by: .seconds(300))
        #expect(try await task.value.session == .unconfirmed(SignInError(.expired, because: "")))
        #expect(browser.ends == 1)
    }

    @Test func `ends the wait with its task`() async throws {
        try await signIn()
        let (browser, task) = await begun()
        task.cancel()
        #expect(try await task.value.session == .unconfirmed(SignInError(.cancelled, because: "")))
        #expect(browser.ends == 1)
    }

    @Test func `says that the server is away, and signs out here all the same`() async throws {
        try await signIn()
        for path in [ScriptedServer.path, ScriptedServer.secondPath] {
            server.transport.reply(at: path, with: .failure(TransportError(.notReached, because: "no route")))
        }
        let browser = ScriptedBrowser()
        let result = try await refresher.signOut(endingSessionIn: browser)
        #expect(!result.isRevoked)
        // A copy of the refresh token would renew them.
        #expect(result.worksUntil == nil)
        #expect(result.session == .unconfirmed(SignInError(.notReachable, because: "")))
        #expect(browser.opened.isEmpty)
        #expect(await store.keys().isEmpty)
    }

    @Test(arguments: [true, false])
    func `says until when tokens work that the server did not end`(isReachable: Bool) async throws {
        let expires = server.clock.date + 300
        let signedIn = CompletedSignIn(
            accessToken: AccessToken(revealing: "access-1"), refreshToken: nil, expires: expires, scope: .none,
            identity: nil)
        try await store.save(signedIn, for: server.signInKey)
        if !isReachable {
            for path in [ScriptedServer.path, ScriptedServer.secondPath] {
                server.transport.reply(at: path, with: .failure(TransportError(.notReached, because: "no route")))
            }
        }
        let result = try await refresher.signOut()
        #expect(result.isRevoked == isReachable && result.session == .untouched)
        #expect(result.worksUntil.map { abs($0.timeIntervalSince(expires)) < 1 } == (isReachable ? nil : true))
    }

    @Test(arguments: [true, false])
    func `leaves a remembered person remembered, unless they are forgotten`(forgets: Bool) async throws {
        try await signIn(remembered: true)
        try await refresher.signOut(forgetting: forgets)
        #expect(try await server.person("anna", in: store)?.rememberedPerson == nil ? forgets : !forgets)
        #expect(try await store.signedIn(for: server.signInKey) == nil)
    }
}
