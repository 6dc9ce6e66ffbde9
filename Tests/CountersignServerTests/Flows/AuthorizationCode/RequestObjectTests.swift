import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 9101 §5, §6, §10.5; OpenID Connect Core 1.0 §6.1; RFC 9126 §3.
@Suite("A signed authorization request")
struct RequestObjectTests {
    /// Opens a server with a client that has keys, and a browser of Anna's.
    private func open(
        _ edit: @escaping @Sendable (inout Client) -> Void = { _ in },
        _ test: @escaping @Sendable (SigningApp, TestBrowser) async throws -> Void
    ) async throws {
        try await TestServer.open(withApps: true) { server in
            let app = SigningApp(server: server)
            try await app.register(edit)
            try await test(app, try await server.browser(of: .anna))
        }
    }

    @Test func `is worth tokens when the person approves`() async throws {
        try await open { app, anna in
            let response = try await anna.authorize(query: try app.query(try app.object()))
            let answer = try #require(response.authorization)
            #expect(response.location?.hasPrefix(app.redirectURI) == true)
            #expect(answer.state == "a state")
            let tokens = try await app.redeem(answer.code).json(TokenResponse.self)
            #expect(tokens.scope == Scope([.openid, .profile]))
            #expect(try await app.server.read(try #require(tokens.idToken).revealed).text("nonce") == "a nonce")
        }
    }

    @Test func `alone counts, and nothing that stands beside it`() async throws {
        try await open { app, anna in
            let beside: Form = [
                "state": "other", "scope": "openid email", "redirect_uri": "https://evil.example/",
                "nonce": "other", "prompt": "none", "response_mode": "form_post", "response_type": "code",
            ]
            let response = try await anna.authorize(query: try app.query(try app.object(), and: beside))
            #expect(response.authorization?.state == "a state")
            #expect(response.location?.hasPrefix(app.redirectURI) == true)
            let tokens = try await app.redeem(response.authorization?.code).json(TokenResponse.self)
            #expect(tokens.scope == Scope([.openid, .profile]))
            // A parameter that is missing inside is not taken from outside.
            let outside: Form = ["state": "outside"]
            let stateless = try app.object(changing: ["state": nil])
            let answer = try await anna.get("authorize?\(try app.query(stateless, and: outside))").authorization
            #expect(answer?.code != nil)
            #expect(answer?.state == nil)
        }
    }

    @Test func `contradicts no response_type beside it in OpenID Connect`() async throws {
        try await open { app, anna in
            let beside: Form = ["scope": "openid", "response_type": "token"]
            let answer = try await anna.get("authorize?\(try app.query(try app.object(), and: beside))").authorization
            #expect(answer?.error == .invalidRequestObject)
        }
    }

    @Test(arguments: [
        ["iss": "\"shop\""], ["aud": "\"https://other.example\""], ["exp": "1"], ["nbf": "9999999999"],
        ["client_id": "\"shop\""], ["request_uri": "\"https://a.example\""],
        ["redirect_uri": "\"https://evil.example\""],
    ])
    func `shows a page and goes nowhere with`(changes: [String: String]) async throws {
        try await open { app, anna in
            let beside: Form = ["redirect_uri": app.redirectURI]
            let query = try app.query(try app.object(changing: changes), and: beside)
            let response = try await anna.get("authorize?\(query)")
            #expect(response.status == .badRequest)
            #expect(response.headers[.location] == nil)
        }
    }

    @Test func `is refused when another key signed it, or none`() async throws {
        try await open { app, anna in
            let stranger = SigningApp(server: app.server)
            let bare = try app.object(header: #"{"alg":"none"}"#)
            for object in [try stranger.object(), bare, "a.b.c"] {
                let response = try await anna.get("authorize?\(try app.query(object))")
                #expect(response.status == .badRequest)
                #expect(response.text.contains("invalid_request_object"))
                #expect(try await app.push(["request": object]).error == .invalidRequestObject)
            }
        }
    }

    @Test func `tells the client by its registered address what is wrong with the request inside`() async throws {
        try await open { app, anna in
            let changes = [
                ("response_type", "\"token\"", OAuthError.Code.unsupportedResponseType),
                ("code_challenge", "\"short\"", .invalidRequest), ("scope", "\"admin\"", .invalidScope),
            ]
            for (name, value, error) in changes {
                let query = try app.query(try app.object(changing: [name: value]))
                let answer = try await anna.get("authorize?\(query)").authorization
                #expect(answer?.error == error)
                #expect(answer?.state == "a state")
            }
        }
    }

    @Test func `is not supported for a client without keys`() async throws {
        try await open { _, anna in
            var form = TestApps.shop.request.form
            form["request"] = "a.b.c"
            #expect(try await anna.get("authorize?\(form.encoded)").authorization?.error == .requestNotSupported)
            let pushed = try form.with(["client_secret": TestApps.shop.secret?.revealed ?? ""])
            #expect(try await anna.server.post("/par", pushed).error == .requestNotSupported)
        }
    }

    @Test func `does not go with a request_uri`() async throws {
        try await open { app, anna in
            let both: Form = ["request_uri": "https://signer.example/request"]
            let response = try await anna.get("authorize?\(try app.query(try app.object(), and: both))")
            #expect(response.status == .badRequest)
        }
    }

    @Test func `is demanded of clients that registered so`() async throws {
        try await open({ $0.redirects.requiresSignedRequests = true }) { app, anna in
            let plain = app.request.form
            #expect(try await anna.get("authorize?\(plain.encoded)").authorization?.error == .invalidRequest)
            #expect(try await app.push(plain).error == .invalidRequest)
            #expect(try await anna.get("authorize?\(try app.query(try app.object()))").status == .ok)
            let pushed = try await app.pushedQuery(["request": try app.object()])
            #expect(try await anna.authorize(query: pushed).authorization?.code != nil)
        }
    }

    @Test func `is stored beforehand, with nothing of what is beside it`() async throws {
        try await open { app, anna in
            let form: Form = ["request": try app.object(), "state": "other", "scope": "email"]
            let response = try await anna.authorize(query: try await app.pushedQuery(form))
            #expect(response.authorization?.state == "a state")
            #expect(try await app.redeem(response.authorization?.code).status == .ok)
        }
    }

    @Test func `is bound to the key of a proof beside it`() async throws {
        try await open { app, anna in
            let key = DPoPKey(drawingFrom: .system)
            let query = try await app.pushedQuery(
                ["request": try app.object()],
                headers: try app.server.proof(by: key, at: "par")
            )
            let code = try await anna.authorize(query: query).authorization?.code
            #expect(try await app.redeem(code).error == .invalidGrant)
            #expect(try await app.redeem(code, headers: try app.server.proof(by: key)).status == .ok)
        }
    }

    @Test func `may expire while the person signs in and decides, but not be brought anew`() async throws {
        try await open { app, anna in
            let now = Int(app.server.clock.date.timeIntervalSince1970)
            let object = try app.object(changing: ["exp": "\(now + 60)", "prompt": "\"login\""])
            let login = try #require(try await anna.get("authorize?\(try app.query(object))").location)
            let page = try await app.server.get(login, headers: [.cookie: anna.cookie])
            let target = try #require(page.unescapedField("return_to"))
            app.server.clock.advance(by: .seconds(200))
            #expect(try await anna.get("authorize?\(try app.query(object))").status == .badRequest)
            let again = try await app.server.browser(of: .anna)
            let query = String(target.drop { $0 != "?" }.dropFirst())
            #expect(try await again.authorize(query: query).authorization?.code != nil)
            app.server.clock.advance(by: .seconds(401))
            #expect(try await again.get("authorize?\(query)").status == .badRequest)
        }
    }
}
