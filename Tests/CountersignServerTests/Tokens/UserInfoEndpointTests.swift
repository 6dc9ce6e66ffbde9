import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

/// Standard: OpenID Connect Core 1.0 §5.3; RFC 6750 §2.1, §3.
@Suite("The user info", .server)
struct UserInfoEndpointTests {
    let server = TestServer.current
    static let known: [(String, Set<String>)] = [
        ("openid", ["sub", "name"]),
        ("openid profile", ["sub", "name", "preferred_username", "updated_at"]),
        ("openid email", ["sub", "name", "email", "email_verified"]),
        (
            "openid profile email play",
            ["sub", "name", "preferred_username", "updated_at", "email", "email_verified"]
        ),
    ]

    @Test(arguments: known)
    func `tells what the scope allows`(scope: String, members: Set<String>) async throws {
        let token = try await server.signedIn(scope: scope).accessToken
        let answer = try await ask(server, "Bearer \(token.revealed)")
        #expect(answer.status == .ok)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.members == members)
        #expect(try answer.json(UserInfo.self).subject == TestPerson.anna.subject)
    }

    @Test(arguments: [TestClients.tv, .radio, .kiosk])
    func `is told by GET and POST, for every kind of token`(client: TestClients) async throws {
        let token = try await server.signedIn(client).accessToken
        let headers: HTTPFields = [.authorization: "bearer  \(token.revealed)"]
        let got = try await server.get("/userinfo", headers: headers)
        let posted = try await server.send(.post, "/userinfo", headers: headers)
        #expect(got.status == .ok)
        #expect(got.body == posted.body)
    }

    @Test(arguments: [nil, "Basic dHY6", "Token abc"])
    func `challenges whoever brings no token, without naming an error`(header: String?) async throws {
        let answer = try await ask(server, header)
        #expect(answer.status == .unauthorized)
        #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"countersign\", DPoP algs=\"ES256 RS256\"")
        #expect(answer.body.readableBytes == 0)
    }

    /// Standard: RFC 6750 §3.1.
    @Test(arguments: ["", "Bearer", "Bearer ", "Bearer a b", "Bearer é", "DPoP"])
    func `refuses a malformed token, and says so`(header: String) async throws {
        let answer = try await ask(server, header)
        #expect(answer.status == .unauthorized)
        #expect(answer.headers[.wwwAuthenticate]?.contains("error=\"invalid_token\"") == true)
    }

    /// Standard: RFC 6750 §3.1.
    @Test func `refuses two headers`() async throws {
        let token = try await server.signedIn().accessToken.revealed
        var headers: HTTPFields = [:]
        headers[values: .authorization] = ["Bearer \(token)", "Bearer \(token)"]
        let answer = try await server.get("/userinfo", headers: headers)
        #expect(answer.status == .badRequest)
        #expect(answer.headers[.wwwAuthenticate]?.contains("error=\"invalid_request\"") == true)
    }

    @Test func `refuses a token that is not good`() async throws {
        let tokens = try await server.signedIn()
        let refresh = try #require(tokens.refreshToken).revealed
        let robot = try TestClients.robot.form.with(["grant_type": "client_credentials"])
        let own = try await server.post("/token", robot).json(TokenResponse.self).accessToken.revealed
        for token in ["unknown", refresh, own] {
            let answer = try await ask(server, "Bearer \(token)")
            #expect(answer.status == .unauthorized)
            #expect(answer.headers[.wwwAuthenticate]?.contains("error=\"invalid_token\"") == true)
        }
        server.clock.advance(by: .seconds(3600))
        let expired = try await ask(server, "Bearer \(tokens.accessToken.revealed)")
        #expect(expired.headers[.wwwAuthenticate]?.contains("error=\"invalid_token\"") == true)
    }

    @Test func `refuses a token without openid`() async throws {
        let token = try await server.signedIn(scope: "play profile").accessToken
        let answer = try await ask(server, "Bearer \(token.revealed)")
        #expect(answer.status == .forbidden)
        let challenge = answer.headers[.wwwAuthenticate]
        #expect(challenge?.contains("error=\"insufficient_scope\"") == true)
        #expect(challenge?.contains("scope=\"openid\"") == true)
    }

    @Test func `refuses the token of a locked person`() async throws {
        let token = try await server.signedIn().accessToken
        try await server.lock(.anna)
        #expect(try await ask(server, "Bearer \(token.revealed)").status == .unauthorized)
        try await server.lock(.anna, .active)
        #expect(try await ask(server, "Bearer \(token.revealed)").status == .ok)
    }

    private func ask(_ server: TestServer, _ header: String?) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.authorization] = header
        return try await server.get("/userinfo", headers: headers)
    }

    /// Standard: RFC 6750 §2.2.
    @Test func `takes the token from a form as well, but not from both places`() async throws {
        let token = try await server.signedIn().accessToken
        let form: Form = ["access_token": token.revealed]
        let answer = try await server.post("/userinfo", form)
        #expect(answer.status == .ok)
        #expect(try answer.json(UserInfo.self).subject == TestPerson.anna.subject)
        let header: HTTPFields = [.authorization: BearerHeader.value(for: token)]
        let twice = try await server.post("/userinfo", form, headers: header)
        #expect(twice.status == .badRequest)
        #expect(twice.headers[.wwwAuthenticate]?.contains("error=\"invalid_request\"") == true)
        let wrong = try await server.post("/userinfo", ["access_token": "wrong"])
        #expect(wrong.status == .unauthorized)
        #expect(wrong.headers[.wwwAuthenticate]?.contains("error=\"invalid_token\"") == true)
        let none = try await server.post("/userinfo", ["token": token.revealed])
        #expect(none.status == .unauthorized)
        let queried = try await server.send(.post, "/userinfo?access_token=\(token.revealed)")
        #expect(queried.status == .unauthorized)
        let got = try await server.get("/userinfo?access_token=\(token.revealed)")
        #expect(got.status == .unauthorized)
    }
}
