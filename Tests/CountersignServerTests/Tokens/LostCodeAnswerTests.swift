import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignServer

/// An addition of ours to RFC 6749 §4.1.3, RFC 8628 §3.4 and OpenID CIBA Core 1.0 §10.1, with the thief beside each
/// client.
@Suite("The lost answer to a code")
struct LostCodeAnswerTests {
    private let id = TokenRequestID(drawingFrom: .system)
    private let here = "192.0.2.7"
    private let elsewhere = "198.51.100.9"

    /// The three kinds of code, approved, with the credentials of their client and how long they live.
    private func withCode(
        _ kind: String,
        _ test: @escaping @Sendable (TestServer, TokenRequest, Form, Double) async throws -> Void
    ) async throws {
        switch kind {
        case "device code":
            try await TestServer.open { server in
                let codes = try await server.ask()
                try await server.browser(of: .anna).decide("approve", codes)
                try await test(server, .deviceCode(codes.deviceCode), TestClients.tv.form, 300)
            }
        case "authorization code":
            try await TestServer.open(withApps: true) { server in
                let code = try await server.browser(of: .anna).code(for: .phone)
                let request = TokenRequest.authorizationCode(
                    code, redirectURI: TestApps.phone.redirectURIs[0], verifier: TestApps.verifier)
                try await test(server, request, TestApps.phone.credentials, 60)
            }
        default:
            try await TestBackchannelClient.open { client in
                let asked = try await client.asked()
                try await client.server.browser(of: .anna).answerQuestion("approve")
                try await test(client.server, .backchannelAuthentication(asked.request), client.credentials, 300)
            }
        }
    }

    private static let kinds = ["device code", "authorization code", "auth_req_id"]

    @Test(arguments: kinds)
    func `comes again to the same identifier from anywhere, until the code's own end`(kind: String) async throws {
        try await withCode(kind) { server, request, credentials, lifetime in
            let lost = try #require(try await server.token(request, with: credentials, from: here, id: id).tokens)
            server.clock.advance(by: .seconds(lifetime - 2))
            try await server.maintenance().sweep()
            let again = try await server.token(request, with: credentials, from: elsewhere, id: id)
            #expect(again.tokens?.refreshToken == lost.refreshToken)
            #expect(again.tokens?.accessToken == lost.accessToken)
            #expect(again.tokens?.expiresIn == lost.expiresIn.map { $0 - Int(lifetime - 2) })
            server.clock.advance(by: .seconds(10))
            #expect(try await server.token(request, with: credentials, from: here, id: id).error == .invalidGrant)
        }
    }

    @Test(arguments: kinds)
    func `comes again in the same network to a device code alone, and to nobody elsewhere`(kind: String) async throws {
        try await withCode(kind) { server, request, credentials, lifetime in
            let lost = try #require(try await server.token(request, with: credentials, from: here).tokens)
            server.clock.advance(by: .seconds(lifetime - 2))
            let again = try await server.token(request, with: credentials, from: here)
            #expect(again.tokens?.refreshToken == (kind == "device code" ? lost.refreshToken : nil))
            #expect(try await server.token(request, with: credentials, from: elsewhere).error == .invalidGrant)
            // A code with its verifier that comes from elsewhere was copied.
            #expect(try await server.honours(lost.accessToken) == (kind != "authorization code"))
        }
    }

    @Test(arguments: kinds)
    func `does not come to a thief without the identifier`(kind: String) async throws {
        try await withCode(kind) { server, request, credentials, _ in
            let lost = try #require(try await server.token(request, with: credentials, from: here, id: id).tokens)
            server.clock.advance(by: .seconds(1))
            #expect(try await server.token(request, with: credentials, from: here).error == .invalidGrant)
            let other = TokenRequestID(drawingFrom: .system)
            #expect(try await server.token(request, with: credentials, from: here, id: other).error == .invalidGrant)
            #expect(try await server.honours(lost.accessToken) == (kind != "authorization code"))
        }
    }

    @Test(arguments: kinds, ["/userinfo", "/introspect", "refresh"])
    func `does not come again once what it gave was used`(kind: String, use: String) async throws {
        try await withCode(kind) { server, request, credentials, _ in
            let tokens = try #require(try await server.token(request, with: credentials, from: here, id: id).tokens)
            switch use {
            case "/userinfo": #expect(try await server.honours(tokens.accessToken))
            case "/introspect":
                // At another client's question nothing is used.
                _ = try await server.introspect(tokens.accessToken.revealed, as: .api)
                #expect(try await server.token(request, with: credentials, from: here, id: id).isGood)
                try await server.change(.api) { $0.serves = ["http://localhost:8080", TestClients.audience] }
                #expect(try await server.introspect(tokens.accessToken.revealed, as: .api).active)
            default:
                let refresh = TokenRequest.refresh(try #require(tokens.refreshToken), scope: .none)
                #expect(try await server.token(refresh, with: credentials, from: here).isGood)
            }
            #expect(try await server.token(request, with: credentials, from: here, id: id).error == .invalidGrant)
        }
    }

    @Test(arguments: ["device code", "authorization code"])
    func `does not come again with a scope that its person lost meanwhile`(kind: String) async throws {
        try await TestServer.open(withApps: true, configuring: { $0.requiredGroups = [.profile: TestGroups.band] }) {
            [id, here] server in
            try await server.put(.anna, into: TestGroups.band)
            let anna = try await server.browser(of: .anna)
            let (request, credentials): (TokenRequest, Form)
            if kind == "device code" {
                let codes = try await server.ask()
                try await anna.decide("approve", codes)
                (request, credentials) = (.deviceCode(codes.deviceCode), TestClients.tv.form)
            } else {
                let code = try await anna.code(for: .phone)
                request = .authorizationCode(
                    code, redirectURI: TestApps.phone.redirectURIs[0], verifier: TestApps.verifier)
                credentials = TestApps.phone.credentials
            }
            let lost = try #require(try await server.token(request, with: credentials, from: here, id: id).tokens)
            #expect(lost.scope?.contains(.profile) == true)
            let again = try await server.token(request, with: credentials, from: here, id: id)
            #expect(again.tokens?.accessToken == lost.accessToken)
            try await server.take(.anna, outOf: TestGroups.band)
            #expect(try await server.token(request, with: credentials, from: here, id: id).error == .invalidGrant)
        }
    }

    @Test func `to a device code follows a proof of the same key, and no other`() async throws {
        try await withCode("device code") { server, request, credentials, _ in
            let (key, other) = (DPoPKey(drawingFrom: .system), DPoPKey(drawingFrom: .system))
            let lost = try #require(
                try await server.token(request, with: credentials, from: here, headers: try server.proof(by: key))
                    .tokens)
            server.clock.advance(by: .seconds(200))
            for fields in [[:], try server.proof(by: other)] {
                let stolen = try await server.token(request, with: credentials, from: here, headers: fields)
                #expect(stolen.error == .invalidGrant)
            }
            let again = try await server.token(
                request, with: credentials, from: elsewhere, headers: try server.proof(by: key))
            #expect(again.tokens?.accessToken == lost.accessToken)
        }
    }

    @Test(.server(withApps: true))
    func `has a fresh access token and the nonce of its request when the first has expired`() async throws {
        let server = TestServer.current
        try await server.change { repositories in
            var phone = try #require(try repositories.clients.find(TestApps.phone.id))
            phone.lifetimes.accessToken = 20
            try repositories.clients.update(phone)
        }
        let code = try await server.browser(of: .anna).code(for: .phone)
        let request = TokenRequest.authorizationCode(
            code, redirectURI: TestApps.phone.redirectURIs[0], verifier: TestApps.verifier)
        let form = TestApps.phone.credentials
        let lost = try #require(try await server.token(request, with: form, from: here, id: id).tokens)
        server.clock.advance(by: .seconds(30))
        let again = try #require(try await server.token(request, with: form, from: here, id: id).tokens)
        #expect(again.accessToken != lost.accessToken)
        #expect(again.refreshToken == lost.refreshToken)
        let before = try await server.read(try #require(lost.idToken).revealed)
        let after = try await server.read(try #require(again.idToken).revealed)
        #expect(after.text("nonce") == before.text("nonce"))
        #expect(try await server.honours(again.accessToken))
    }
}
