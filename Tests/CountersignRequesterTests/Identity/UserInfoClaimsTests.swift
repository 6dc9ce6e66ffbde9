import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("The claims of a server about the person of some tokens")
struct UserInfoClaimsTests {
    private struct Anna: Encodable {
        var sub = "anna-1"
        var preferred_username = "anna"
        var groups = ["admins", "staff"]
        var email_verified = true
        var updated_at = 1_800_000_000
    }

    private static let ended = HTTPFields(
        dictionaryLiteral: (.wwwAuthenticate, #"Bearer error="invalid_token""#))
    private let store = MemoryTokenStore()

    /// A server with these answers about the person, and of refreshes; the app has tokens.
    private func server(
        answering replies: ScriptedTransport.Reply...,
        refreshing refreshed: ScriptedTransport.Reply = TokenRefresherTests.renewed
    ) async throws -> ScriptedServer {
        let server = try ScriptedServer(refreshed)
        var metadata = server.metadata
        metadata.userInfoEndpoint = server.issuer.appending("userinfo")
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        server.transport.reply(at: "/userinfo", with: replies)
        try await store.save(server.tokens(for: 300), for: server.signInKey)
        return server
    }

    @Test func `are texts and lists, and nothing of what is neither`() async throws {
        let server = try await server(answering: .json(Anna()))
        let claims = try await server.refresher(of: store).userInfo()
        #expect(claims.subject == Subject("anna-1") && claims.text("preferred_username") == "anna")
        #expect(claims.list("groups") == ["admins", "staff"] && claims.list("sub").isEmpty)
        #expect(claims.text("groups") == nil && claims.text("email_verified") == nil && claims.text("absent") == nil)
        let sent = server.transport.sent(to: "/userinfo")
        #expect(sent.map { $0.request.headerFields[.authorization] } == ["Bearer access-1"])
    }

    @Test func `are asked for with new tokens where the server refuses the old ones`() async throws {
        let server = try await server(
            answering: .status(.unauthorized, fields: Self.ended), .json(Anna()))
        #expect(try await server.refresher(of: store).userInfo().text("preferred_username") == "anna")
        let sent = server.transport.sent(to: "/userinfo")
        #expect(sent.map { $0.request.headerFields[.authorization] } == ["Bearer access-1", "Bearer access-2"])
    }

    @Test(arguments: [(OAuthError.Code.invalidGrant, SignInError.Code.signedOut), (.accessDenied, .accountLocked)])
    func `are none once the person signed out, or is locked`(
        refusal: OAuthError.Code, code: SignInError.Code
    ) async throws {
        let server = try await server(
            answering: .status(.unauthorized, fields: Self.ended), refreshing: .error(refusal))
        await #expect(throws: SignInError(code, because: "")) { try await server.refresher(of: store).userInfo() }
    }

    @Test(arguments: [
        (ScriptedTransport.Reply.status(.serviceUnavailable), SignInError.Code.serverFailure),
        (.status(.tooManyRequests), .tooFast),
        (.failure(TransportError(.notReached, because: "no route")), .notReachable),
        (.status(.ok), .badAnswer), (.status(.unauthorized), .signedOut),
    ])
    func `are an error where the server does not tell`(
        reply: ScriptedTransport.Reply, code: SignInError.Code
    ) async throws {
        let server = try await server(answering: reply)
        await #expect(throws: SignInError(code, because: "")) {
            try await server.refresher(of: store, attempts: 1).userInfo()
        }
    }

    @Test func `are not offered by every server`() async throws {
        let server = try ScriptedServer()
        try await store.save(server.tokens(for: 300), for: server.signInKey)
        await #expect(throws: SignInError(.flowNotOffered, because: "")) {
            try await server.refresher(of: store).userInfo()
        }
    }
}
