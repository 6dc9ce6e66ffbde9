import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A pushed authorization request", .server(withApps: true))
struct PushedRequestTests {
    let server = TestServer.current

    private func push(_ app: TestApps, _ request: AuthorizationRequest, on server: TestServer) async throws
        -> TestResponse
    {
        try await server.post("/par", try request.form.with(app.secretOnly))
    }

    @Test(arguments: [TestApps.shop, .bank, .phone])
    func `is named in place of its parameters, and used once`(app: TestApps) async throws {
        let pushed = try await push(app, app.request, on: server)
        #expect(pushed.status == .created)
        let answer = try pushed.json(PushedAuthorizationResponse.self)
        #expect(answer.expiresIn == 590)
        let anna = try await server.browser(of: .anna)
        let path =
            "authorize?\(Form(dictionaryLiteral: ("client_id", app.rawValue), ("request_uri", answer.requestURI)).encoded)"
        let page = try await anna.get(path)
        #expect(page.status == .ok)
        let decided = try await anna.post(
            "authorize/decision",
            ["authorization": page.unescapedField("authorization"), "decision": "approve"]
        )
        let code = try #require(decided.authorization?.code)
        #expect(decided.authorization?.state == app.request.state)
        #expect(try await server.redeem(code, as: app).status == .ok)
        #expect(try await anna.get(path).status == .badRequest)
    }

    @Test func `is not used up by a program that only looks`() async throws {
        let name = try await push(.shop, TestApps.shop.request, on: server).json(PushedAuthorizationResponse.self)
            .requestURI
        let path = "/authorize?\(Form(dictionaryLiteral: ("client_id", "shop"), ("request_uri", name)).encoded)"
        let anna = try await server.browser(of: .anna)
        let looked = try await server.send(.head, path, headers: [.cookie: anna.cookie])
        #expect(looked.status == .methodNotAllowed)
        #expect(looked.headers[.allow] == "GET, POST")
        let answer = try await anna.authorize(query: String(path.dropFirst("/authorize?".count)))
        #expect(answer.authorization?.code != nil)
    }

    @Test(arguments: [(16_000, HTTPResponse.Status.created), (16_384, .contentTooLarge)])
    func `has a longest size`(length: Int, status: HTTPResponse.Status) async throws {
        for state in [String(repeating: "a", count: length), String(repeating: "\u{E9}", count: length / 6 + 1)] {
            var request = TestApps.shop.request
            request.state = state
            let answer = try await push(.shop, request, on: server)
            #expect(answer.status == status)
        }
    }

    @Test func `is demanded of clients that registered so`() async throws {
        let anna = try await server.browser(of: .anna)
        #expect(try await anna.authorize(TestApps.bank.request).authorization?.error == .invalidRequest)
    }

    @Test func `is for its own client, and for ten minutes`() async throws {
        let anna = try await server.browser(of: .anna)
        let name = try await push(.shop, TestApps.shop.request, on: server).json(PushedAuthorizationResponse.self)
            .requestURI
        for client in ["bank", "", "shop2"] {
            let query = Form(dictionaryLiteral: ("client_id", client), ("request_uri", name))
            #expect(try await anna.get("authorize?\(query.encoded)").status == .badRequest)
        }
        server.clock.advance(by: .seconds(600))
        let late = Form(dictionaryLiteral: ("client_id", "shop"), ("request_uri", name))
        #expect(try await anna.get("authorize?\(late.encoded)").status == .badRequest)
    }

    @Test(
        arguments: [
            (["client_secret": "wrong"], OAuthError.Code.invalidClient),
            (["redirect_uri": "https://evil.example"], .invalidRequest),
            (["request_uri": "urn:ietf:params:oauth:request_uri:x"], .invalidRequest),
            (["scope": "admin"], .invalidScope),
            (["code_challenge": ""], .invalidRequest),
            (["response_type": "token"], .unsupportedResponseType),
        ] as [([String: String], OAuthError.Code)])
    func `is refused at once when it is invalid`(changes: [String: String], error: OAuthError.Code) async throws {
        var form = try TestApps.shop.request.form.with(TestApps.shop.secretOnly)
        for (name, value) in changes { form[name] = value }
        #expect(try await server.post("/par", form).error == error)
        #expect(try await server.rows(of: "pushed_requests") == 0)
    }
}
