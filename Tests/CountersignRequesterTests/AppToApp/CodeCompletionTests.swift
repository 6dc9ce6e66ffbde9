import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("Redeeming a code")
struct CodeCompletionTests {
    @Test func `gives tokens and a verified person, where the refresher finds them`() async throws {
        let app = try AppUnderTest()
        let sent = try await app.started()
        try app.grant(nonce: sent["nonce"])
        let answer = try await app.signIn.finish(with: app.address("code=A", state: sent["state"]))
        guard case .granted(let completion) = answer, let signedIn = completion.signedIn else {
            Issue.record("Not signed in: \(answer)")
            return
        }
        #expect(completion.isCompleted && completion.error == nil && completion.advice == .no)
        #expect(signedIn.identity?.username == "anna")
        #expect(signedIn.accessToken == AccessToken(revealing: "access-1"))

        let form = try #require(app.redeemed.first)
        #expect(app.redeemed.count == 1)
        #expect(form["grant_type"] == "authorization_code")
        #expect(form["code"] == "A")
        #expect(form["redirect_uri"] == AppUnderTest.universal)
        #expect(form["client_id"] == "kitchen-radio")
        let verifier = try #require(form["code_verifier"].flatMap(CodeVerifier.init(parsing:)))
        #expect(CodeChallenge(of: verifier).description == sent["code_challenge"])

        let tokens = app.server.refresher(of: app.store)
        #expect(try await tokens.signedIn() == signedIn)
        app.server.transport.reply(at: "/token", with: ScriptedServer.granted())
        app.server.clock.advance(by: .seconds(301))
        #expect(try await tokens.signedIn().accessToken == AccessToken(revealing: "access-1"))
        #expect(app.redeemed.last?["grant_type"] == "refresh_token")
    }

    @Test(arguments: [
        // The endpoint's behaviour, whether that is an answer, the error that it is, and the advice on another try.
        Row("a connection that breaks", .failure(TransportError(.interrupted, because: "")), .fails(.signInAgain)),
        Row("no answer in time", .failure(TransportError(.timedOut, because: "")), .fails(.signInAgain)),
        Row(
            "a page with 500", .text("<h1>Oh</h1>", type: "text/html", status: .internalServerError),
            .fails(.signInAgain)),
        Row("a page with 400", .text("<h1>No</h1>", type: "text/html", status: .badRequest), .fails(.no)),
        Row("a page with 200", .text("<h1>Hi</h1>", type: "text/html"), .fails(.no)),
        Row("invalid_request", .error(.invalidRequest), .refuses(.invalidRequest, .no)),
        Row("invalid_client", .error(.invalidClient), .refuses(.invalidClient, .no)),
        Row("invalid_grant", .error(.invalidGrant), .refuses(.invalidGrant, .signInAgain)),
        Row("unauthorized_client", .error(.unauthorizedClient), .refuses(.unauthorizedClient, .no)),
        Row("unsupported_grant_type", .error(.unsupportedGrantType), .refuses(.unsupportedGrantType, .no)),
        Row("server_error", .error(.serverError), .fails(.signInAgain)),
        Row(
            "an error with 200", .text(#"{"error":"invalid_grant"}"#, type: "application/json"),
            .refuses(.invalidGrant, .signInAgain)),
        Row("JSON that is nothing", .text("{}", type: "application/json"), .fails(.no)),
        Row("JSON that is no object", .text("[]", type: "application/json"), .fails(.no)),
        Row("half an answer", .text(#"{"access_token":"#, type: "application/json"), .fails(.no)),
        Row(
            "a token of another type",
            .text(#"{"access_token":"a","token_type":"mac"}"#, type: "application/json"), .fails(.no)),
        Row(
            "a token with a line break",
            .text(#"{"access_token":"a\nb","token_type":"Bearer"}"#, type: "application/json"), .fails(.no)),
    ])
    func `tells an answer from none, once`(row: Row) async throws {
        let app = try AppUnderTest(row.reply, scope: .none)
        let state = try await app.started()["state"]
        let answer = try await app.signIn.finish(with: app.address("code=A", state: state))
        guard case .granted(let completion) = answer else {
            Issue.record("Not granted: \(answer)")
            return
        }
        switch row.outcome {
        case .fails(let advice):
            #expect(!completion.isCompleted && completion.error == nil && completion.signedIn == nil)
            #expect(completion.advice == advice)
        case .refuses(let code, let advice):
            #expect(completion.isCompleted && completion.signedIn == nil)
            #expect(completion.error?.code == code)
            #expect(completion.advice == advice)
        }
        #expect(app.redeemed.count == 1)
        #expect(try await app.store.keys().isEmpty)
    }

    @Test(arguments: [
        ScriptedTransport.Reply.failure(TransportError(.notReached, because: "")), .status(.serviceUnavailable),
        .status(.tooManyRequests), .error(.temporarilyUnavailable),
    ])
    func `repeats the request only when it was certainly not carried out`(reply: ScriptedTransport.Reply) async throws {
        let bare = #"{"access_token":"a","token_type":"Bearer"}"#
        let app = try AppUnderTest(reply, .text(bare, type: "application/json"), scope: .none)
        let state = try await app.started()["state"]
        let answer = try await app.signIn.finish(with: app.address("code=A", state: state))
        guard case .granted(.signedIn) = answer else {
            Issue.record("Not signed in: \(answer)")
            return
        }
        #expect(app.redeemed.count == 2)
    }

    @Test func `gives up on a server that cannot be reached, with advice`() async throws {
        let app = try AppUnderTest(.failure(TransportError(.notReached, because: "")), scope: .none)
        let state = try await app.started()["state"]
        let answer = try await app.signIn.finish(with: app.address("code=A", state: state))
        #expect(answer == .granted(.failed(SignInError(.notReachable, because: ""), .signInAgain)))
        #expect(app.redeemed.count == 4)
    }

    @Test(arguments: [ScriptedTransport.Reply.status(.tooManyRequests), .error(.slowDown)])
    func `gives up on a server that was asked too often, with advice`(reply: ScriptedTransport.Reply) async throws {
        let app = try AppUnderTest(reply, scope: .none)
        let state = try await app.started()["state"]
        let answer = try await app.signIn.finish(with: app.address("code=A", state: state))
        #expect(answer == .granted(.failed(SignInError(.tooFast, because: ""), .signInAgain)))
        #expect(app.redeemed.count == 4)
    }

    @Test(arguments: ["wrong", "", nil])
    func `refuses an ID token with another nonce, and gives the tokens back`(nonce: String?) async throws {
        let app = try AppUnderTest()
        let sent = try await app.started()
        try app.grant(nonce: nonce)
        let answer = try await app.signIn.finish(with: app.address("code=A", state: sent["state"]))
        #expect(answer == .granted(.failed(SignInError(.identityRefused, because: ""), .no)))
        #expect(app.server.revoked == ["refresh-1", "access-1"])
        #expect(try await app.store.keys().isEmpty)
    }

    @Test func `refuses an answer without an ID token where one was asked for`() async throws {
        let app = try AppUnderTest(ScriptedServer.granted())
        let state = try await app.started()["state"]
        let answer = try await app.signIn.finish(with: app.address("code=A", state: state))
        #expect(answer == .granted(.failed(SignInError(.identityMissing, because: ""), .no)))
    }

    @Test func `sends nothing for a code of another app, or to another server`() async throws {
        let app = try AppUnderTest(scope: .none)
        let state = try await app.started()["state"]
        guard case .granted(let code) = try await app.signIn.receive(app.address("code=A", state: state)) else {
            Issue.record("There is no code.")
            return
        }
        let other = try AppUnderTest(scope: .none, client: "other")
        #expect(await other.signIn.redeem(code).advice == .no)
        let moved = try AppUnderTest(scope: .none) { $0.issuer = "https://id.example.com/" }
        #expect(
            await moved.signIn.redeem(code) == .failed(SignInError(.issuerMismatch, because: ""), .no)
        )
        #expect(other.redeemed.isEmpty && moved.redeemed.isEmpty)
    }

    @Test func `leaves it to a backend where the provider wants a secret`() async throws {
        let app = try AppUnderTest(at: .foursquare, scope: .none)
        let sent = try await app.started()
        guard case .granted(let code) = try await app.signIn.receive(app.address("code=A", state: sent["state"])) else {
            Issue.record("There is no code.")
            return
        }
        #expect(await app.signIn.redeem(code) == .failed(SignInError(.clientRefused, because: ""), .no))
        #expect(app.server.transport.sent().isEmpty)

        let body = try JSONEncoder().encode(code.handover)
        let members = try JSONDecoder().decode([String: String].self, from: body)
        #expect(Set(members.keys) == ["client_id", "code", "code_verifier", "redirect_uri"])
        #expect(members["code"] == "A" && members["redirect_uri"] == AppUnderTest.universal)
        #expect(try JSONDecoder().decode(CodeHandover.self, from: body) == code.handover)
    }

    @Test func `reads a token without a type from a provider that is known for that`() async throws {
        var profile = ProviderProfile(
            named: "https://foursquare.com",
            authorization: "https://id.example.com/authorize",
            token: "https://id.example.com/token"
        )
        profile.needsBackend = true
        let app = try AppUnderTest(at: profile, scope: .none, secret: ClientSecret(revealing: "of the backend"))
        app.server.transport.reply(at: "/token", with: .text(#"{"access_token":"T"}"#, type: "application/json"))
        let state = try await app.started()["state"]
        let answer = try await app.signIn.finish(with: app.address("code=A", state: state))
        guard case .granted(.signedIn(let signedIn)) = answer else {
            Issue.record("Not signed in: \(answer)")
            return
        }
        #expect(signedIn.accessToken == AccessToken(revealing: "T") && signedIn.expires == nil)
        // Nothing is lost of a longer answer of the same provider.
        app.server.transport.reply(
            at: "/token",
            with: .text(
                #"{"access_token":"T2","token_type":"Bearer","expires_in":60,"refresh_token":"R"}"#,
                type: "application/json"
            )
        )
        let next = try await app.started()["state"]
        let whole = try await app.signIn.finish(with: app.address("code=B", state: next))
        guard case .granted(.signedIn(let signedIn)) = whole else {
            Issue.record("Not signed in: \(whole)")
            return
        }
        #expect(signedIn.accessToken == AccessToken(revealing: "T2") && signedIn.expires != nil)
        #expect(signedIn.refreshToken == RefreshToken(revealing: "R"))
        #expect(app.server.transport.sent(to: "/token").allSatisfy { $0.request.method == .post })
        #expect(app.server.transport.sent(to: "/token").allSatisfy { $0.request.path == "/token" })
    }

    @Test(arguments: [
        "{}", "[]", #"{"client_id":"a","code":"","code_verifier":"v","redirect_uri":"r"}"#,
        #"{"client_id":"a","code":"c","code_verifier":"short","redirect_uri":"r"}"#,
    ])
    func `is not begun by a backend with half a message`(text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CodeHandover.self, from: Data(text.utf8))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        enum Outcome: Sendable {
            case fails(CodeCompletion.RetryAdvice)
            case refuses(OAuthError.Code, CodeCompletion.RetryAdvice)
        }

        let testDescription: String
        let reply: ScriptedTransport.Reply
        let outcome: Outcome

        init(_ name: String, _ reply: ScriptedTransport.Reply, _ outcome: Outcome) {
            (testDescription, self.reply, self.outcome) = (name, reply, outcome)
        }
    }
}
