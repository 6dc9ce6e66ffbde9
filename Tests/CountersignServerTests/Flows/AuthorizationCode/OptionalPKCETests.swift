import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 9700 §2.1.1; OpenID Connect Core 1.0 §3.1.2.1 (`nonce`).
@Suite("A client whose PKCE is optional")
struct OptionalPKCETests {
    private func open(
        _ app: TestApps = .shop,
        _ test: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.open(withApps: true) { server in
            try await server.change { repositories in
                var client = try #require(try repositories.clients.find(app.id))
                client.redirects.pkce = .optional
                try repositories.clients.update(client)
            }
            try await test(server)
        }
    }

    /// A request without a challenge.
    private func request(
        of app: TestApps = .shop,
        nonce: String? = "a nonce",
        scope: Scope = Scope([.openid, .profile])
    ) -> AuthorizationRequest {
        var request = app.request
        request.challenge = nil
        request.nonce = nonce
        request.scope = scope
        return request
    }

    private func redeem(_ code: AuthorizationCode, at server: TestServer, with verifier: CodeVerifier?) async throws
        -> TestResponse
    {
        try await server.redeem(
            code, as: .shop, redirectURI: TestApps.shop.redirectURIs[0], verifier: verifier)
    }

    @Test func `signs in by a nonce, as web servers do that know no PKCE`() async throws {
        try await open { server in
            let anna = try await server.browser(of: .anna)
            let code = try #require(try await anna.authorize(request(), answering: "approve").authorization?.code)
            let tokens = try await redeem(code, at: server, with: nil).json(TokenResponse.self)
            let token = try await server.read(try #require(tokens.idToken).revealed)
            #expect(token.text("nonce") == "a nonce")
            let pushed = try await server.post("/par", try request().form.with(TestApps.shop.secretOnly))
            #expect(pushed.status == .created)
        }
    }

    @Test func `needs a nonce and openid in the place of a challenge`() async throws {
        try await open { server in
            let anna = try await server.browser(of: .anna)
            for wrong in [request(nonce: nil), request(scope: Scope([ScopeWord("play")]))] {
                let answer = try await anna.authorize(wrong)
                #expect(answer.authorization?.error == .invalidRequest)
                let pushed = try await server.post("/par", try wrong.form.with(TestApps.shop.secretOnly))
                #expect(pushed.error == .invalidRequest)
            }
        }
    }

    @Test func `loses no protection to somebody who takes the challenge away`() async throws {
        try await open { server in
            let anna = try await server.browser(of: .anna)
            // The client sent a challenge, and presents its verifier; the browser brought the request without it.
            let stripped = try #require(try await anna.authorize(request(), answering: "approve").authorization?.code)
            #expect(try await redeem(stripped, at: server, with: TestApps.verifier).error == .invalidGrant)
            // A request with a challenge needs the verifier as before.
            let code = try await server.browser(of: .bert).code(for: .shop)
            #expect(try await redeem(code, at: server, with: nil).error == .invalidGrant)
            #expect(try await redeem(code, at: server, with: TestApps.verifier).status == .ok)
        }
    }

    @Test(arguments: [TestApps.phone, .native, .terminal])
    func `is no public one, whatever its stored registration says`(app: TestApps) async throws {
        try await open(app) { server in
            let anna = try await server.browser(of: .anna)
            let answer = try await anna.authorize(request(of: app))
            #expect(answer.authorization?.error == .invalidRequest)
        }
    }

    @Test(.server(withApps: true)) func `is named in the refusal of every other`() async throws {
        let server = TestServer.current
        let answer = try await server.browser(of: .anna).authorize(request())
        #expect(answer.authorization?.error == .invalidRequest)
        #expect(answer.location?.contains("pkce") == true)
    }

    @Test func `has a secret, https addresses and openid, and no security profile`() {
        let created = Date(timeIntervalSince1970: 1_800_000_000)
        var shop = TestApps.shop.record(created: created)
        #expect(PKCEUse.optional.objection(to: shop) == nil)
        shop.redirects.redirectURIs.append("http://localhost/done")
        #expect(PKCEUse.optional.objection(to: shop) != nil && PKCEUse.required.objection(to: shop) == nil)
        shop.redirects.redirectURIs = []
        #expect(PKCEUse.optional.objection(to: shop) != nil)
        shop = TestApps.shop.record(created: created)
        shop.scope = Scope([.profile])
        #expect(PKCEUse.optional.objection(to: shop) != nil)
        shop = TestApps.shop.record(created: created)
        shop.redirects.profile = .fapi2
        #expect(PKCEUse.optional.objection(to: shop) != nil)
        #expect(PKCEUse.optional.objection(to: TestApps.phone.record(created: created)) != nil)
    }

    @Test func `is read from a registration that was stored before there was the setting`() throws {
        let stored = #"""
            {"redirect_uris":[],"post_logout_redirect_uris":[],"web_origins":[],"consent":"ask",\#
            "require_pushed_authorization_requests":false,"require_signed_request_object":false}
            """#
        let read = try JSONDecoder().decode(RedirectRegistration.self, from: Data(stored.utf8))
        #expect(read.pkce == .required)
    }
}
