import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A token of the server", .server)
struct TokenIssuerTests {
    let server = TestServer.current
    static let start = 1_800_000_000

    /// Standard: OpenID Connect Dynamic Client Registration 1.0 §2 (`id_token_signed_response_alg`).
    @Test(arguments: [
        (TestClients.tv, Client.IDTokenAlgorithm.rs256), (.radio, .rs256), (.kiosk, .es256), (.tv, .es256),
    ])
    func `has the algorithm that was chosen for ID tokens, apart from that of access tokens`(
        client: TestClients, algorithm: Client.IDTokenAlgorithm
    ) async throws {
        try await server.change(client) { $0.chosenIDTokenAlgorithm = algorithm }
        let tokens = try await server.signedIn(client)
        let token = try await server.read(try #require(tokens.idToken).revealed)
        #expect(token.header.algorithm == algorithm.rawValue)
        switch client {
        case .radio: #expect(try await server.read(tokens.accessToken.revealed).header.algorithm == "ES256")
        case .kiosk: #expect(try await server.read(tokens.accessToken.revealed).header.algorithm == "RS256")
        default: #expect(tokens.accessToken.revealed.split(separator: ".").count == 1)
        }
    }

    /// Standard: OpenID Connect Core 1.0 §2; RFC 8176 for `amr`.
    @Test(arguments: [(TestClients.tv, "ES256"), (.radio, "ES256"), (.kiosk, "RS256")])
    func `says who signed in, when and how, in an ID token`(client: TestClients, algorithm: String) async throws {
        let codes = try await server.ask(as: client, scope: "openid")
        let browser = try await server.browser(of: .anna)
        server.clock.advance(by: .seconds(30))
        try await browser.decide("approve", codes)
        server.clock.advance(by: .seconds(10))
        let tokens = try await server.poll(codes, as: client).json(TokenResponse.self)
        let token = try await server.read(try #require(tokens.idToken).revealed)

        #expect(token.header.algorithm == algorithm)
        #expect(token.header.type == "JWT")
        #expect(
            token.names == [
                "iss", "sub", "aud", "exp", "iat", "auth_time", "acr", "amr", "name", "sid", "countersign_evidence",
            ]
        )
        #expect(token.text("iss") == "http://localhost:8080")
        #expect(token.text("sub") == "subject-of-anna")
        #expect(token.text("aud") == client.rawValue)
        #expect(token.text("name") == "Anna Ek")
        #expect(token.number("auth_time") == Self.start)
        #expect(token.number("iat") == Self.start + 40)
        #expect(token.number("exp") == Self.start + 40 + 3600)
        #expect(token.claims["amr"] as? [String] == ["pwd"])
        #expect(token.text("acr") == "urn:countersign:acr:password")
    }

    @Test func `tells in an ID token what the scope allows`() async throws {
        let tokens = try await server.signedIn(.tv, as: .bert, scope: "openid profile email")
        let token = try await server.read(try #require(tokens.idToken).revealed)
        #expect(token.text("name") == "Bert Öst")
        #expect(token.text("preferred_username") == "bert")
        #expect(token.text("email") == "bert@example.org")
    }

    /// Standard: RFC 9068 §2.1, §2.2.
    @Test(arguments: [(TestClients.radio, "ES256"), (.kiosk, "RS256")])
    func `is a JWT for clients that want one`(client: TestClients, algorithm: String) async throws {
        let tokens = try await server.signedIn(client, scope: "openid play")
        let token = try await server.read(tokens.accessToken.revealed)

        #expect(token.header.algorithm == algorithm)
        #expect(token.header.type == "at+jwt")
        #expect(
            token.names == [
                "iss", "exp", "aud", "sub", "client_id", "iat", "jti", "scope", "auth_time", "acr",
                "countersign_evidence",
            ])
        #expect(token.text("iss") == "http://localhost:8080")
        #expect(token.text("aud") == "http://localhost:8080")
        #expect(token.text("sub") == "subject-of-anna")
        #expect(token.text("client_id") == client.rawValue)
        #expect(token.text("scope") == "openid play")
        #expect(token.number("iat") == Self.start)
        #expect(token.number("exp") == Self.start + 300)
        #expect(token.number("auth_time") == Self.start)
        #expect(tokens.expiresIn == 300)
        #expect(try await server.honours(tokens.accessToken))
    }

    @Test func `has its own name, by which the server describes it`() async throws {
        let form = try TestClients.robot.form.with(["grant_type": "client_credentials"])
        let tokens = try await server.post("/token", form).json(TokenResponse.self)
        let token = try await server.read(tokens.accessToken.revealed)
        let other = try await server.post("/token", form).json(TokenResponse.self)
        let name = try #require(token.text("jti"))

        #expect(try await server.introspect(tokens.accessToken.revealed, as: .robot).tokenID == name)
        #expect(try await server.read(other.accessToken.revealed).text("jti") != name)
    }

    @Test func `never lives longer as a JWT than five minutes, and says so`() async throws {
        try await server.change { repositories in
            for (id, lifetime) in [(TestClients.radio, 86_400.0), (.kiosk, 120)] {
                var client = id.record(created: server.clock.date)
                client.lifetimes.accessToken = lifetime
                _ = try repositories.clients.remove(client.id)
                try repositories.clients.insert(client)
            }
        }
        let long = try await server.signedIn(.radio)
        let short = try await server.signedIn(.kiosk)
        #expect(long.expiresIn == 300)
        #expect(short.expiresIn == 120)
        server.clock.advance(by: .seconds(300))
        #expect(try await !server.honours(long.accessToken))
    }

    @Test func `is random text for clients that want it opaque`() async throws {
        let tokens = try await server.signedIn(.tv)
        #expect(URLSafeText.decode(tokens.accessToken.revealed)?.count == 32)
        // The name of its family, and 256 bits of its own.
        let refresh = try #require(tokens.refreshToken).revealed
        #expect(URLSafeText.decode(refresh.prefix(43))?.count == 32)
        #expect(URLSafeText.decode(refresh.dropFirst(43))?.count == 32)
        server.clock.advance(by: .seconds(3599))
        #expect(try await server.honours(tokens.accessToken))
        server.clock.advance(by: .seconds(1))
        #expect(try await !server.honours(tokens.accessToken))
    }

    @Test(.server(issuer: "https://id.example/a")) func `names the issuer with its path`() async throws {
        let tokens = try await server.signedIn(.radio)
        #expect(try await server.read(tokens.accessToken.revealed).text("iss") == "https://id.example/a")
        let idToken = try #require(tokens.idToken).revealed
        #expect(try await server.read(idToken).text("iss") == "https://id.example/a")
    }
}
