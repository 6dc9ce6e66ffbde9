import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("An authorization code")
struct AuthorizationCodeGrantTests {
    @Test func `is redeemed once; a second use ends what it gave`() async throws {
        try await TestServer.openWithApps { server in
            let anna = try await server.browser(of: .anna)
            let code = try await anna.code(for: .shop)
            let tokens = try await server.redeem(code, as: .shop).json(TokenResponse.self)
            #expect(try await server.honours(tokens.accessToken))
            server.clock.advance(by: .seconds(1))
            #expect(try await server.redeem(code, as: .shop).error == .invalidGrant)
            #expect(try await !server.honours(tokens.accessToken))
            let refreshed = try await server.post(
                "/token",
                try TokenRequest.refresh(try #require(tokens.refreshToken), scope: .none).form
                    .with(TestApps.shop.credentials)
            )
            #expect(refreshed.error == .invalidGrant)
        }
    }

    @Test func `ends nothing when somebody without its verifier uses it again`() async throws {
        try await TestServer.openWithApps { server in
            let anna = try await server.browser(of: .anna)
            let code = try await anna.code(for: .phone)
            let tokens = try await server.redeem(code, as: .phone).json(TokenResponse.self)
            server.clock.advance(by: .seconds(1))
            let redirect = TestApps.phone.redirectURIs[0]
            let other = CodeVerifier(revealing: String(repeating: "x", count: 43))
            for verifier in [other, nil] {
                let answer = try await server.redeem(code, as: .phone, redirectURI: redirect, verifier: verifier)
                #expect(answer.error == .invalidGrant)
            }
            #expect(try await server.honours(tokens.accessToken))
        }
    }

    /// A request that is sent twice at once is no theft, however long the second takes to be authenticated.
    @Test func `ends nothing when a request comes to it late that arrived before it was redeemed`() async throws {
        try await TestServer.openWithApps { server in
            let code = try await server.browser(of: .anna).code(for: .shop)
            let arrived = server.clock.date
            server.clock.advance(by: .seconds(1))
            let tokens = try await server.redeem(code, as: .shop).json(TokenResponse.self)
            let presented = AuthorizationCodeGrant.Presentation(
                code: code,
                redirectURI: TestApps.shop.redirectURIs[0],
                verifier: TestApps.verifier,
                key: nil,
                arrived: arrived,
                id: nil
            )
            let services = server.server.services
            let grant = AuthorizationCodeGrant(
                tokens: services.tokens.issuer,
                redemption: GrantRedemption(services.core, services.accounts),
                lost: LostAnswers(services.core, services.tokens),
                clock: services.clock
            )
            let credentials = try PresentedCredentials(authorization: nil, form: TestApps.shop.credentials)
            let client = try await services.clients.authentication.authenticated(credentials, from: nil)
            await #expect(throws: OAuthError(.invalidGrant, because: "")) {
                try await grant.redeem(presented, for: client)
            }
            #expect(try await server.honours(tokens.accessToken))
        }
    }

    @Test func `gives one of two hundred simultaneous requests tokens`() async throws {
        try await TestServer.openWithApps { server in
            let code = try await server.browser(of: .anna).code(for: .shop)
            let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
                for _ in 0..<200 { group.addTask { try await server.redeem(code, as: .shop) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let good = answers.filter { $0.status == .ok }
            #expect(good.count == 1)
            #expect(answers.count { $0.error == .invalidGrant } == 199)
            // The clock stood still: all of them arrived before it was redeemed.
            #expect(try await server.honours(try #require(good.first).json(TokenResponse.self).accessToken))
        }
    }

    @Test func `is worth nothing without what belongs to it`() async throws {
        try await TestServer.openWithApps { server in
            let code = try await server.browser(of: .anna).code(for: .shop)
            let redirect = TestApps.shop.redirectURIs[0]
            let other = CodeVerifier(revealing: String(repeating: "x", count: 43))
            let answers = [
                try await server.redeem(code, as: .shop, redirectURI: redirect, verifier: nil),
                try await server.redeem(code, as: .shop, redirectURI: redirect, verifier: other),
                try await server.redeem(code, as: .shop, redirectURI: nil),
                try await server.redeem(code, as: .shop, redirectURI: TestApps.shop.redirectURIs[1]),
                try await server.redeem(code, as: .intranet, redirectURI: redirect),
                try await server.redeem(AuthorizationCode(revealing: "unknown"), as: .shop, redirectURI: redirect),
                try await server.poll(asDeviceCode: code),
            ]
            #expect(answers.map(\.error) == Array(repeating: .invalidGrant, count: 7))
            let short = CodeVerifier(revealing: "short")
            let malformed = try await server.redeem(code, as: .shop, redirectURI: redirect, verifier: short)
            #expect(malformed.error == .invalidRequest)
            #expect(try await server.redeem(code, as: .shop).status == .ok)
        }
    }

    @Test(arguments: [(59.0, true), (60, false)])
    func `lives for a minute`(after seconds: Double, isGood: Bool) async throws {
        try await TestServer.openWithApps { server in
            let code = try await server.browser(of: .anna).code(for: .shop)
            server.clock.advance(by: .seconds(seconds))
            #expect(try await server.redeem(code, as: .shop).error == (isGood ? nil : .invalidGrant))
        }
    }

    @Test func `gives nothing to whom was locked, changed or undone in between`() async throws {
        try await TestServer.openWithApps { server in
            let anna = try await server.browser(of: .anna)
            let changes: [@Sendable () async throws -> Void] = [
                {
                    let grant = try #require(try await anna.get("account").field("grant"))
                    _ = try await anna.post("account/undo", ["grant": grant])
                },
                {
                    try await server.change { repositories in
                        var shop = try #require(try repositories.clients.find(TestApps.shop.id))
                        shop.redirects.redirectURIs = ["https://shop.example/new"]
                        try repositories.clients.update(shop)
                    }
                },
            ]
            for change in changes {
                let code = try await anna.code(for: .shop)
                try await change()
                #expect(try await server.redeem(code, as: .shop).error == .invalidGrant)
            }
            let code = try await anna.code(for: .phone)
            try await server.lock(.anna)
            #expect(try await server.redeem(code, as: .phone).error == .invalidGrant)
        }
    }

    @Test func `is for clients that registered for it`() async throws {
        try await TestServer.openWithApps { server in
            let form = TokenRequest.authorizationCode(
                AuthorizationCode(revealing: "any"),
                redirectURI: nil,
                verifier: TestApps.verifier
            ).form
            let answer = try await server.post("/token", try form.with(TestClients.tv.form))
            #expect(answer.error == .unauthorizedClient)
        }
    }

    @Test func `is stored as a digest only`() async throws {
        try await TestServer.openWithApps { server in
            let code = try await server.browser(of: .anna).code(for: .shop)
            let bytes = try server.databaseBytes()
            #expect(bytes.range(of: Data(code.revealed.utf8)) == nil)
        }
    }
}

extension TestServer {
    /// Presents an authorization code as a device code.
    fileprivate func poll(asDeviceCode code: AuthorizationCode) async throws -> TestResponse {
        let form = TokenRequest.deviceCode(DeviceCode(revealing: code.revealed)).form
        return try await post(path("token"), try form.with(TestClients.tv.form))
    }
}
