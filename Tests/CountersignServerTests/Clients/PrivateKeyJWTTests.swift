import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 7523 §2.2, §3; OpenID Connect Core 1.0 §9.
@Suite("A client with registered keys", .server)
struct PrivateKeyJWTTests {
    let server = TestServer.current
    let key = AssertionKey()

    private func register(_ server: TestServer) async throws {
        let keys = key.set
        try await server.change(.robot) { $0.kind = .keys(keys) }
    }

    private func token(_ server: TestServer, _ credentials: Form) async throws -> TestResponse {
        try await server.post("/token", try credentials.with(["grant_type": "client_credentials"]))
    }

    @Test(arguments: ["", "/token"])
    func `authenticates by a signed statement for the issuer or the token endpoint`(path: String) async throws {
        try await register(server)
        let form = try key.form("robot", to: server.issuer.text + path, at: server.clock.date)
        #expect(try await token(server, form).status == .ok)
    }

    /// Standard: RFC 7519 §4.1.3; RFC 7523 §3. Common client libraries name both.
    @Test(arguments: [
        ([""], true), (["", "/token"], true), (["", "/elsewhere"], false), (["/elsewhere"], false), ([], false),
    ])
    func `may name both as a list, and no other receiver`(paths: [String], isGood: Bool) async throws {
        try await register(server)
        let now = Int(server.clock.date.timeIntervalSince1970)
        let names = paths.map { "\"\(server.issuer.text)\($0)\"" }.joined(separator: ",")
        let form: Form = [
            "client_assertion_type": UnverifiedClientAssertion.type,
            "client_assertion": try key.signed(
                #"{"iss":"robot","sub":"robot","aud":[\#(names)],"jti":"1","exp":\#(now + 60)}"#),
        ]
        #expect(try await token(server, form).status == (isGood ? .ok : .unauthorized))
    }

    /// Standard: RFC 8705 §5.
    @Test func `may name an endpoint by its alias for clients with certificates`() async throws {
        try await register(server)
        let client = try await server.store.read { try $0.clients.find(TestClients.robot.id) }
        let alias = try Issuer("https://mtls.example.org")
        let assertions = ClientAssertions(
            issuer: server.issuer, bases: [server.issuer, alias], store: server.store, clock: server.serverClock)
        func verified(for audience: String) throws -> VerifiedClientAssertion {
            let form = try key.form("robot", to: audience, at: server.clock.date)
            return try assertions.verified(try #require(try UnverifiedClientAssertion(form: form)), of: client)
        }
        #expect(try verified(for: alias.appending("token")).client == TestClients.robot.id)
        #expect(try verified(for: server.issuer.appending("token")).client == TestClients.robot.id)
        #expect(throws: OAuthError.self) { try verified(for: alias.text) }
    }

    @Test func `uses each statement once`() async throws {
        try await register(server)
        let form = try key.form("robot", to: server.issuer.text, at: server.clock.date)
        #expect(try await token(server, form).status == .ok)
        let again = try await token(server, form)
        #expect(again.status == .unauthorized)
        #expect(again.error == .invalidClient)
        let next = try key.form("robot", to: server.issuer.text, at: server.clock.date)
        #expect(try await token(server, next).status == .ok)
        try await server.restarted { again in
            for used in [form, next] { #expect(try await token(again, used).error == .invalidClient) }
            let fresh = try key.form("robot", to: server.issuer.text, at: server.clock.date)
            #expect(try await token(again, fresh).status == .ok)
        }
    }

    @Test func `is told the same when it is unknown and when its signature is wrong`() async throws {
        try await register(server)
        let now = server.clock.date
        let refused = [
            try AssertionKey().form("robot", to: server.issuer.text, at: now),
            try key.form("nobody", to: server.issuer.text, at: now),
            try key.form("console", to: server.issuer.text, at: now),
            try key.form("tv", to: server.issuer.text, at: now),
            try key.form("robot", to: "https://id.example.org", at: now),
            try key.form("robot", to: server.issuer.text, at: now - 3600),
            ["client_id": "robot"],
            ["client_id": "robot", "client_secret": TestClients.robot.secret?.revealed ?? ""],
        ]
        var answers: [TestResponse] = []
        for form in refused { answers.append(try await token(server, form)) }
        for answer in answers {
            #expect(answer.status == .unauthorized)
            #expect(answer.error == .invalidClient)
            #expect(answer.body == answers[0].body)
        }
    }

    @Test func `is refused when its key was taken away meanwhile`() async throws {
        try await register(server)
        let others = AssertionKey().set
        let form = try key.form("robot", to: server.issuer.text, at: server.clock.date)
        let presented = try PresentedCredentials(authorization: nil, form: form)
        let client = try await server.server.services.clients.authentication.authenticated(presented, from: nil)
        try await server.change(.robot) { $0.kind = .keys(others) }
        await #expect(throws: OAuthError(.invalidClient, because: "")) {
            try await server.server.services.clients.authentication.current(client)
        }
    }

    @Test func `authenticates at the other endpoints, where the fast path leaves it to the router`() async throws {
        let keys = key.set
        try await server.change(.api) { $0.kind = .keys(keys) }
        var form = TestClients.console.form
        form["grant_type"] = "client_credentials"
        let access = try await server.post("/token", form).json(TokenResponse.self).accessToken
        for _ in 0..<2 {
            let credentials = try key.form("api", to: server.issuer.text, at: server.clock.date)
            let asked = try credentials.with(["token": access.revealed])
            let told = try await server.post("/introspect", asked).json(IntrospectionResponse.self)
            #expect(told.active)
            #expect(try await server.post("/introspect", asked).error == .invalidClient)
        }
    }

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(20, in: 60) })
    func `is blocked after too many wrong signatures`() async throws {
        try await register(server)
        let wrong = AssertionKey()
        for number in 0...20 {
            let form = try wrong.form("robot", to: server.issuer.text, at: server.clock.date)
            let answer = try await token(server, form)
            #expect(answer.status == (number < 20 ? .unauthorized : .tooManyRequests))
        }
    }
}
