import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A token of Twitter with its secret that is exchanged")
struct OAuth1TokenTests {
    /// Opens a server that knows the person of the token as Anna.
    private func open(
        editing edit: @escaping @Sendable (inout IdentityProvider.OAuth1) -> Void = { _ in },
        _ test: @escaping @Sendable (TestConfirmingProviders) async throws -> Void
    ) async throws {
        try await TestConfirmingProviders.open { providers in
            var settings = providers.twitterSettings
            edit(&settings)
            try await providers.add(.oauth1(settings), as: "twitter")
            try await providers.connect(TwitterPerson().id, of: TestConfirmingProviders.x)
            try await test(providers)
        }
    }

    private func exchange(_ token: TokenCredentials, at providers: TestConfirmingProviders) async throws -> TestResponse
    {
        try await providers.exchange(SubjectToken(token).revealed, of: .oauth1Credentials)
    }

    @Test func `109 signs its person in, after verify_credentials that this server signs`() async throws {
        try await open { providers in
            let answer = try await exchange(providers.twitter.issue(TwitterPerson()), at: providers)
            #expect(try answer.json(TokenResponse.self).issuedTokenType == .accessToken)
            let proof = Evidence.Proof.federated(
                issuer: TestConfirmingProviders.x,
                how: .oauth1,
                at: providers.server.clock.date
            )
            #expect(try await providers.evidence() == [[proof]])
            #expect(providers.twitter.received.map(\.path) == ["/1.1/account/verify_credentials.json"])
            #expect(providers.twitter.forged.isEmpty)
        }
    }

    @Test func `109 is refused with a wrong secret`() async throws {
        try await open { providers in
            let good = providers.twitter.issue(TwitterPerson())
            let wrong = TokenCredentials(token: good.token, secret: OAuth1Secret(revealing: "wrong"))
            let answer = try await exchange(wrong, at: providers)
            #expect(answer.isRefusal)
            #expect(providers.twitter.forged == ["/1.1/account/verify_credentials.json: wrong signature"])
            // And that says nothing about the right one.
            #expect(try await exchange(good, at: providers).status == .ok)
            #expect(try await exchange(wrong, at: providers).isRefusal)
        }
    }

    @Test(arguments: ["key", "secret"])
    func `109 is not blamed for a wrong consumer key or secret of the operator`(wrong: String) async throws {
        let edit = { @Sendable (settings: inout IdentityProvider.OAuth1) in
            if wrong == "key" { settings.consumer = ClientID("system-key") }
            if wrong == "secret" { settings.secret = ProviderSecret(revealing: "wrong") }
        }
        try await open(editing: edit) { providers in
            let answer = try await exchange(providers.twitter.issue(TwitterPerson()), at: providers)
            #expect(answer.isUnavailable)
            #expect(
                providers.twitter.received.map(\.path) == [
                    "/1.1/account/verify_credentials.json", "/oauth/request_token",
                ])
        }
    }

    @Test func `109 is refused when it is not known, or taken back`() async throws {
        try await open { providers in
            let unknown = TokenCredentials(token: OAuth1Token("1-a"), secret: OAuth1Secret(revealing: "b"))
            let answer = try await exchange(unknown, at: providers)
            #expect(answer.isRefusal)
            let token = providers.twitter.issue(TwitterPerson())
            providers.twitter.revoke(token.token)
            #expect(try await exchange(token, at: providers).isRefusal)
        }
    }

    @Test(arguments: [
        "a", "oauth_token=a", "oauth_token_secret=b", "oauth_token=&oauth_token_secret=b",
        "oauth_token=a&oauth_token=b&oauth_token_secret=c", "oauth_token=%zz&oauth_token_secret=b",
        "oauth_token=\(String(repeating: "a", count: 1_000))&oauth_token_secret=b",
    ])
    func `109 is not presented to the provider when it has no such form`(text: String) async throws {
        try await open { providers in
            let answer = try await providers.exchange(text, of: .oauth1Credentials)
            #expect(answer.isRefusal)
            #expect(providers.twitter.received.isEmpty)
        }
    }

    private static func error(_ code: Int, _ status: Int) -> ProviderFault {
        .answer(status, type: "application/json", body: #"{"errors":[{"code":\#(code),"message":"No."}]}"#)
    }

    @Test(arguments: [error(89, 401), error(32, 401), .status(401), error(64, 403), error(326, 403)])
    func `109 is refused when the provider does not take it`(fault: ProviderFault) async throws {
        try await open { providers in
            providers.twitter.fail(at: .profile, with: fault)
            let answer = try await exchange(providers.twitter.issue(TwitterPerson()), at: providers)
            #expect(answer.isRefusal)
        }
    }

    @Test(arguments: [
        ProviderFault.reset, .silence, .status(302), .status(403), .status(404), .status(429), .status(500),
        .status(503), .badUTF8, .huge, .truncated, .missing("id_str"), error(135, 401), error(453, 403),
        .answer(200, type: "text/html", body: "<html>"), .answer(200, type: "application/json", body: "[]"),
        .answer(200, type: "application/json", body: #"{"id_str":""}"#),
        .answer(200, type: "application/json", body: #"{"id_str":7}"#),
    ])
    func `109 gets one clear answer for each fault, and is good afterwards`(fault: ProviderFault) async throws {
        try await open { providers in
            providers.twitter.fail(at: .profile, with: fault)
            let token = providers.twitter.issue(TwitterPerson())
            let answer = try await exchange(token, at: providers)
            #expect(answer.isUnavailable)
            providers.twitter.fail(at: .profile)
            #expect(try await exchange(token, at: providers).status == .ok)
        }
    }

    @Test(arguments: ["http://127.0.0.1:1", "https://provider.invalid"])
    func `109 gets one clear answer where nobody answers`(base: String) async throws {
        try await open(editing: { $0.base = base }) { providers in
            let answer = try await exchange(providers.twitter.issue(TwitterPerson()), at: providers)
            #expect(answer.isUnavailable)
        }
    }

    @Test func `is counted in whatever way its form is written`() async throws {
        try await TestConfirmingProviders.open(configuring: { $0.limits[.exchangePerToken] = Limit(1, in: 60) }) {
            providers in
            try await providers.add(.oauth1(providers.twitterSettings), as: "twitter")
            try await providers.connect(TwitterPerson().id, of: TestConfirmingProviders.x)
            let token = providers.twitter.issue(TwitterPerson())
            let form = "more=1&oauth_token_secret=\(token.secret.revealed)&oauth_token=\(token.token)"
            #expect(try await providers.exchange(form, of: .oauth1Credentials).status == .ok)
            #expect(try await exchange(token, at: providers).status == .tooManyRequests)
            #expect(providers.twitter.received.count == 1)
        }
    }
}

@Suite("An access token of X that is exchanged")
struct BearerTokenTests {
    private func open(_ test: @escaping @Sendable (TestConfirmingProviders) async throws -> Void) async throws {
        try await TestConfirmingProviders.open { providers in
            try await providers.add(.bearer(providers.bearerSettings), as: "x")
            try await providers.connect(TwitterPerson().id, of: TestConfirmingProviders.x)
            try await test(providers)
        }
    }

    @Test func `signs its person in for a client that vouches for it, and says so`() async throws {
        try await open { providers in
            let token = providers.twitter.issueBearer(TwitterPerson()).revealed
            let answer = try await providers.exchange(token, of: .accessToken, at: "x", as: .console)
            #expect(answer.status == .ok)
            let proof = Evidence.Proof.federated(
                issuer: TestConfirmingProviders.x,
                how: .vouchedToken,
                at: providers.server.clock.date
            )
            #expect(try await providers.evidence() == [[proof]])
            #expect(providers.twitter.received.map(\.target) == ["/2/users/me"])
        }
    }

    /// The radio is named as a voucher, but it is a public client: anybody can call themselves so.
    @Test(arguments: [TestClients.tv, .radio])
    func `is not taken of a client that nobody trusts with it, or that does not authenticate`(client: TestClients)
        async throws
    {
        try await open { providers in
            let token = providers.twitter.issueBearer(TwitterPerson()).revealed
            let answer = try await providers.exchange(token, of: .accessToken, as: client)
            #expect(answer.status == .badRequest && answer.error == .unauthorizedClient)
            #expect(providers.twitter.received.isEmpty)
        }
    }

    @Test(arguments: [ProviderFault.status(401), .status(403)])
    func `is refused when the provider does not take it`(fault: ProviderFault) async throws {
        try await open { providers in
            let answer = try await providers.exchange("made-up", of: .accessToken, as: .console)
            #expect(answer.isRefusal)
            providers.twitter.fail(at: .bearerProfile, with: fault)
            let token = providers.twitter.issueBearer(TwitterPerson()).revealed
            #expect(try await providers.exchange(token, of: .accessToken, as: .console).isRefusal)
        }
    }

    @Test(arguments: [
        ProviderFault.reset, .silence, .status(404), .status(429), .status(503), .badUTF8, .huge, .truncated,
        .missing("data"), .missing("id"),
    ])
    func `gets one clear answer for each fault`(fault: ProviderFault) async throws {
        try await open { providers in
            providers.twitter.fail(at: .bearerProfile, with: fault)
            let token = providers.twitter.issueBearer(TwitterPerson()).revealed
            let answer = try await providers.exchange(token, of: .accessToken, as: .console)
            #expect(answer.isUnavailable)
        }
    }
}
