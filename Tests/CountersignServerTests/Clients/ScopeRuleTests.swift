import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Words that the server does not know or the client may not have are left out, wherever a scope is asked for.
///
/// Standard: RFC 6749 §3.3; OpenID Connect Core 1.0 §3.1.2.1.
@Suite("A scope with words that a client may not have", .server)
struct ScopeRuleTests {
    let server = TestServer.current

    /// Asked with words that nobody knows, and one that only the operator's own apps may have.
    private static let asked = "openid address play admin nearby_approve"
    private static let granted = "openid play"

    @Test func `is the same rule by itself`() throws {
        let most = Scope([.openid, .profile])
        #expect(most.granting(.none) == most)
        #expect(most.granting(Scope([.email, .openid])) == Scope([.openid]))
        #expect(most.granting(Scope([.email])) == nil)
        #expect(Scope.none.granting(Scope([.email])) == nil)
        #expect(Scope.none.granting(.none) == Scope.none)
    }

    @Test func `gives a screen the rest, and says so`() async throws {
        let tokens = try await server.signedIn(.tv, scope: Self.asked)
        #expect(tokens.scope?.description == Self.granted)
    }

    @Test func `gives a client of its own the rest`() async throws {
        let form: Form = ["grant_type": "client_credentials", "scope": Self.asked]
        let tokens = try await server.post("/token", form.with(TestClients.console.form)).json(TokenResponse.self)
        #expect(tokens.scope?.description == "play")
    }

    @Test func `narrows a refresh, which never widens what was granted`() async throws {
        let first = try await server.signedIn(.tv, scope: "openid play")
        let less = try await server.refresh(first.refreshToken, scope: "play email admin").json(TokenResponse.self)
        #expect(less.scope?.description == "play" && less.idToken == nil)
        #expect(try await server.refresh(less.refreshToken, scope: "email").error == .invalidScope)
        let all = try await server.refresh(less.refreshToken).json(TokenResponse.self)
        #expect(all.scope?.description == "openid play")
    }

    @Test(.server(withApps: true), arguments: [false, true])
    func `gives an app the rest, with or without OpenID`(isOpenID: Bool) async throws {
        var request = TestApps.shop.request
        request.scope = try #require(Scope(parsing: isOpenID ? Self.asked : "play admin nearby_approve"))
        let anna = try await server.browser(of: .anna)
        let code = try #require(try await anna.authorize(request, answering: "approve").authorization?.code)
        let tokens = try await server.redeem(code, as: .shop).json(TokenResponse.self)
        #expect(tokens.scope?.description == (isOpenID ? Self.granted : "play"))
        let pushed = try await server.post("/par", try request.form.with(TestApps.shop.secretOnly))
        #expect(pushed.status == .created)
    }

    @Test func `is asked over the back channel, and needs openid of what is left`() async throws {
        try await TestBackchannelClient.open { client in
            let asked = try await client.asked(["scope": Self.asked])
            try await client.server.browser(of: .anna).answerQuestion("approve")
            #expect(try await client.poll(asked).json(TokenResponse.self).scope?.description == Self.granted)
        }
        try await TestBackchannelClient.open(editing: { $0.scope = Scope([ScopeWord("play")]) }) { client in
            let answer = try await client.ask(["scope": "openid play"])
            #expect(answer.error == .invalidScope)
        }
    }

    @Test(.server(withApps: true))
    func `is refused when nothing of it is left, and not replaced by all that the client may have`()
        async throws
    {
        let word = "admin nearby_approve"
        var device = TestClients.tv.form
        device["scope"] = word
        #expect(try await server.post("/device_authorization", device).error == .invalidScope)
        let own: Form = ["grant_type": "client_credentials", "scope": word]
        #expect(try await server.post("/token", own.with(TestClients.console.form)).error == .invalidScope)
        var request = TestApps.shop.request
        request.scope = try #require(Scope(parsing: word))
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.authorize(request).authorization?.error == .invalidScope)
        let pushed = try await server.post("/par", try request.form.with(TestApps.shop.secretOnly))
        #expect(pushed.error == .invalidScope)
    }

    @Test(.registering(.open)) func `is registered without them`() async throws {
        let client = try await server.registered(TestMetadata.with(#""scope":"openid admin nearby_approve""#))
        #expect(client.metadata.scope == "openid")
    }

    @Test(arguments: MetadataEndpoint.names)
    func `is not offered by the metadata`(document: String) async throws {
        let metadata = try await server.get("/.well-known/\(document)").json(AuthorizationServerMetadata.self)
        #expect(metadata.scopesSupported == ["openid", "profile", "email", "groups", "offline_access"])
        // A client that asks for every word of the list gets a sign-in.
        let all = metadata.scopesSupported?.joined(separator: " ")
        #expect(try await server.signedIn(.tv, scope: all).idToken != nil)
    }
}
