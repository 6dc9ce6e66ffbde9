import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("The identifier of a token request")
struct RefreshRequestIDTests {
    let server: ScriptedServer
    let store = MemoryTokenStore()

    private static let lost = ScriptedTransport.Reply.failure(TransportError(.interrupted, because: ""))

    init() throws {
        server = try ScriptedServer(TokenRefresherTests.renewed)
        var metadata = server.metadata
        metadata.requestIDParameterSupported = true
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
    }

    private var key: TokenStoreKey { server.signInKey }

    /// Each is what the next start of an app makes.
    private func refresher(of store: (any TokenStore)? = nil, attempts: Int = 1) -> TokenRefresher {
        server.refresher(of: store ?? self.store, attempts: attempts)
    }

    private func kept(key: DPoPKey? = nil) -> CompletedSignIn {
        server.tokens(key: key)
    }

    private var ids: [String?] { server.transport.sent(to: "/token").map { $0.form[TokenRequestID.parameter] } }

    @Test func `is stored before a refresh is sent, and the same after a restart`() async throws {
        try await store.save(kept(), for: key)
        server.transport.reply(at: "/token", with: Self.lost)
        await #expect(throws: SignInError.self) { try await refresher().refresh() }
        let (store, key) = (store, key)
        let stored = try JSONDecoder().decode(SignInItem.self, from: Data(try #require(await store.load(key))))
        let id = try #require(ids.first ?? nil)
        #expect(stored.refreshRequestID == id)
        #expect(id.utf8.count == 22)

        // Minutes later, in another process.
        server.clock.advance(by: .seconds(600))
        server.transport.reply(at: "/token", with: TokenRefresherTests.renewed)
        let renewed = try await refresher().refresh()
        #expect(renewed.refreshToken == RefreshToken(revealing: "refresh-2"))
        #expect(ids.allSatisfy { $0 == id })
        #expect(ids.count == 3)
    }

    @Test func `is another for each refresh, and not stored between them`() async throws {
        try await store.save(kept(), for: key)
        let refresher = refresher()
        _ = try await refresher.refresh()
        let item = try JSONDecoder().decode(SignInItem.self, from: Data(try #require(await store.load(key))))
        #expect(item.refreshRequestID == nil)
        _ = try await refresher.refresh()
        #expect(ids.count == 2)
        #expect(Set(ids).count == 2)
    }

    @Test func `is stored, or nothing is sent`() async throws {
        let store = FailingTokenStore()
        try await store.save(kept(), for: key)
        await store.fail(saving: .notWritten)
        await #expect(throws: SignInError(.notStored, because: "")) { try await refresher(of: store).refresh() }
        #expect(ids.isEmpty)
        await store.fail(saving: nil)
        #expect(try await refresher(of: store).refresh().accessToken == AccessToken(revealing: "access-2"))
    }

    @Test func `is not needed for tokens that are bound to a key, and not sent to a server that does not know it`()
        async throws
    {
        try await store.save(kept(key: DPoPKey(drawingFrom: .system)), for: key)
        server.transport.reply(
            at: "/token",
            with: .json(
                TokenResponse(
                    accessToken: AccessToken(revealing: "access-2"), tokenType: "DPoP", expiresIn: 300,
                    refreshToken: RefreshToken(revealing: "refresh-2"))))
        _ = try await refresher().refresh()
        #expect(ids == [nil])

        server.transport.reply(at: ScriptedServer.path, with: .json(server.metadata))
        server.transport.reply(at: "/token", with: TokenRefresherTests.renewed)
        try await store.save(kept(), for: key)
        _ = try await refresher().refresh()
        #expect(ids == [nil, nil])
    }

    @Test func `may be missing in what an older version stored`() async throws {
        let older = #"""
            {"accessToken":"access-1","refreshToken":"refresh-1","expires":1,"scope":"openid"}
            """#
        await store.save(Array(older.utf8), for: key)
        let loaded = try #require(try await store.signedIn(for: key))
        #expect(loaded.refreshToken == RefreshToken(revealing: "refresh-1"))
        _ = try await refresher().refresh()
        #expect(ids.first != nil)
    }

    @Test func `is the same in each poll with a device code`() async throws {
        server.transport.reply(at: "/token", with: Self.lost, .error(.authorizationPending), ScriptedServer.granted())
        _ = try await server.signIn().run().result.get()
        #expect(ids.count == 3)
        #expect(Set(ids).count == 1)
        #expect((ids.first ?? nil) != nil)
    }

    @Test(arguments: [lost, .status(.internalServerError), .status(.badGateway), .error(.serverError)])
    func `lets an authorization code be sent again when its answer was lost`(loss: ScriptedTransport.Reply) async throws
    {
        let bare = #"{"access_token":"a","token_type":"Bearer"}"#
        let app = try AppUnderTest(loss, .text(bare, type: "application/json"), scope: .none) {
            $0.requestIDParameterSupported = true
        }
        let state = try await app.started()["state"]
        let answer = try await app.signIn.finish(with: app.address("code=A", state: state))
        guard case .granted(.signedIn) = answer else {
            Issue.record("Not signed in: \(answer)")
            return
        }
        let sent = app.redeemed.map { $0[TokenRequestID.parameter] }
        #expect(sent.count == 2)
        #expect(sent[0] != nil && sent[0] == sent[1])
    }
}

@Suite("A clock that was ahead when tokens arrived")
struct TokensFromTheFutureTests {
    @Test(arguments: [300.0, 3600, 7200, 86_400])
    func `does not let them be taken for good`(ahead: Double) async throws {
        let server = try ScriptedServer(TokenRefresherTests.renewed)
        let store = MemoryTokenStore()
        let refresher = server.refresher(of: store)
        let right = server.clock.date
        server.clock.setDate(right + ahead)
        try await store.save(server.tokens(), for: server.signInKey)
        _ = try await refresher.signedIn()
        #expect(server.transport.sent(to: "/token").count == 1)
        #expect(try await refresher.signedIn().accessToken == AccessToken(revealing: "access-2"))
        #expect(server.transport.sent(to: "/token").count == 1)

        server.clock.setDate(right + 10)
        _ = try await refresher.signedIn()
        #expect(server.transport.sent(to: "/token").count == 2)
        _ = try await refresher.signedIn()
        #expect(server.transport.sent(to: "/token").count == 2)
    }
}
