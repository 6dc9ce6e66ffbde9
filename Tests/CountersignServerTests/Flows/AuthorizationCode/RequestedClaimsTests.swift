import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: OpenID Connect Core 1.0 §3.1.2.1, §5.5, §5.5.1.1.
@Suite("An authorization request that asks for claims or a person", .server(withApps: true))
struct RequestedClaimsTests {
    let server = TestServer.current

    private func query(_ changes: [String: String]) -> String {
        var form = TestApps.shop.request.form
        for (name, value) in changes { form[name] = value }
        return form.encoded
    }

    private func tokens(_ response: TestResponse, of server: TestServer) async throws -> TokenResponse {
        let code = try #require(response.authorization?.code)
        return try await server.redeem(code, as: .shop).json(TokenResponse.self)
    }

    // MARK: Claims

    @Test(arguments: ["id_token", "userinfo"])
    func `asks for the words of a scope that give the claims, and shows them`(member: String) async throws {
        let anna = try await server.browser(of: .anna)
        let query = query(["scope": "openid", "claims": "{\"\(member)\":{\"email\":null,\"shoe_size\":null}}"])
        let page = try await anna.get("authorize?\(query)")
        #expect(page.text.localizedCaseInsensitiveContains("mail"))
        let tokens = try await tokens(try await anna.authorize(query: query), of: server)
        #expect(tokens.scope == Scope([.openid, .email]))
        let read = try await server.read(try #require(tokens.idToken).revealed)
        #expect(read.text("email") == "anna@example.org")
        #expect(read.text("preferred_username") == nil)
    }

    @Test func `gets no claims for which its client is not registered`() async throws {
        let anna = try await server.browser(of: .anna)
        try await server.change { repositories in
            var shop = try #require(try repositories.clients.find(TestApps.shop.id))
            shop.scope = Scope([.openid])
            try repositories.clients.update(shop)
        }
        let query = query(["scope": "openid", "claims": #"{"id_token":{"email":{"essential":true}}}"#])
        let tokens = try await tokens(try await anna.authorize(query: query), of: server)
        #expect(tokens.scope == Scope([.openid]))
        #expect(try await server.read(try #require(tokens.idToken).revealed).text("email") == nil)
    }

    @Test func `goes without new claims where nothing may be asked`() async throws {
        let anna = try await server.browser(of: .anna)
        _ = try await anna.authorize(query: query(["scope": "openid"]))
        let silent = query(["scope": "openid", "prompt": "none", "claims": #"{"userinfo":{"email":null}}"#])
        let less = try await tokens(try await anna.get("authorize?\(silent)"), of: server)
        #expect(less.scope == Scope([.openid]))
        _ = try await anna.authorize(query: query(["scope": "openid email"]))
        let more = try await tokens(try await anna.get("authorize?\(silent)"), of: server)
        #expect(more.scope == Scope([.openid, .email]))
    }

    @Test func `ignores claims outside OpenID Connect`() async throws {
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get("authorize?\(query(["scope": "play", "claims": "{"]))")
        #expect(page.status == .ok)
    }

    // MARK: How the person signed in

    @Test func `learns when and how the person signed in`() async throws {
        let anna = try await server.browser(of: .anna)
        let claims = """
            {"id_token":{"auth_time":{"essential":true},"acr":{"essential":true,\
            "values":["urn:other","urn:countersign:acr:password"]}}}
            """
        let tokens = try await tokens(
            try await anna.authorize(query: query(["claims": claims])),
            of: server
        )
        let read = try await server.read(try #require(tokens.idToken).revealed)
        #expect(read.text("acr") == "urn:countersign:acr:password")
        #expect(read.claims["amr"] as? [String] == ["pwd"])
        #expect(read.number("auth_time") != nil)
    }

    @Test func `is refused when it demands an authentication that there is not`() async throws {
        let anna = try await server.browser(of: .anna)
        let essential = query(["claims": #"{"id_token":{"acr":{"essential":true,"values":["urn:retina"]}}}"#])
        let answer = try await anna.get("authorize?\(essential)").authorization
        #expect(answer?.error == .unmetAuthenticationRequirements)
        // A value that is only preferred is no demand.
        let preferred = query([
            "claims": #"{"id_token":{"acr":{"values":["urn:retina"]}}}"#, "acr_values": "urn:retina",
        ])
        #expect(try await anna.get("authorize?\(preferred)").status == .ok)
    }

    // MARK: Who shall sign in

    @Test func `takes only the person of its sub, and asks for them`() async throws {
        let anna = try await server.browser(of: .anna)
        let bert = TestPerson.bert.subject.rawValue
        let claims = "{\"id_token\":{\"sub\":{\"value\":\"\(bert)\"}}}"
        let silent = query(["prompt": "none", "claims": claims])
        #expect(try await anna.get("authorize?\(silent)").authorization?.error == .loginRequired)

        let login = try await anna.get("authorize?\(query(["claims": claims]))")
        // A person who signs in as Anna again is told why that is not enough.
        let again = try await anna.signInAgain(sentBy: login)
        let refused = try await again.browser.get("authorize?\(again.query)")
        let page = try await server.get(
            try #require(refused.location),
            headers: [.cookie: again.browser.cookie]
        )
        #expect(page.text.contains("asks for another person"))
        let right = try await again.browser.signInAgain(sentBy: refused, as: .bert)
        let tokens = try await tokens(try await right.browser.authorize(query: right.query), of: server)
        #expect(try await server.read(try #require(tokens.idToken).revealed).text("sub") == bert)
    }

    @Test func `is not approved by another person than it asks for`() async throws {
        let anna = try await server.browser(of: .anna)
        let bert = TestPerson.bert.subject.rawValue
        let query = query(["claims": "{\"userinfo\":{\"sub\":{\"value\":\"\(bert)\"}}}"])
        let answer = try await anna.post(
            "authorize/decision",
            ["authorization": query, "decision": "approve"]
        )
        #expect(answer.location?.hasPrefix("/login?") == true)
    }

    @Test func `takes only the person of its id_token_hint, however old that is`() async throws {
        let anna = try await server.browser(of: .anna)
        let first = try await tokens(try await anna.authorize(query: query([:])), of: server)
        let hint = try #require(first.idToken).revealed
        server.clock.advance(by: .seconds(2 * 3600))
        let silent = query(["prompt": "none", "id_token_hint": hint])
        #expect(try await anna.get("authorize?\(silent)").authorization?.code != nil)
        let bert = try await server.browser(of: .bert)
        #expect(try await bert.get("authorize?\(silent)").authorization?.error == .loginRequired)
        let login = try #require(try await bert.get("authorize?\(query(["id_token_hint": hint]))").location)
        #expect(login.contains("username=anna"))
    }

    @Test func `is refused with an id_token_hint of another client or server`() async throws {
        let anna = try await server.browser(of: .anna)
        let form = TestApps.phone.request
        let code = try #require(try await anna.authorize(form, answering: "approve").authorization?.code)
        let others = try await server.redeem(code, as: .phone).json(TokenResponse.self).idToken
        for hint in [try #require(others).revealed, "a.b.c", "eyJhbGciOiJub25lIn0.e30."] {
            let answer = try await anna.get("authorize?\(query(["id_token_hint": hint]))").authorization
            #expect(answer?.error == .invalidRequest)
        }
    }
}
