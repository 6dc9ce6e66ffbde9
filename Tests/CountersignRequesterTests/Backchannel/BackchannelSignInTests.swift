import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

/// Standard: OpenID CIBA Core 1.0 §7, §10, §11.
@Suite("A backend that signs people in over the back channel")
struct BackchannelSignInTests {
    let server: ScriptedServer
    let id = AuthenticationRequestID(revealing: "1c266114-a1be-4252-8ad1-04986c5b9ac1")

    init() throws {
        server = try ScriptedServer()
        var metadata = server.metadata
        metadata.backchannelAuthenticationEndpoint = server.issuer.appending("bc-authorize")
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        server.transport.reply(
            at: "/bc-authorize",
            with: .json(BackchannelAuthenticationResponse(request: id, expiresIn: 120, interval: 5))
        )
    }

    private func signIn(
        wait: Int? = nil,
        keepingTokensIn store: (any TokenStore)? = nil
    ) -> BackchannelSignIn {
        var options = SignInOptions()
        options.wait = wait.flatMap { WaitPreference(seconds: $0) }
        return BackchannelSignIn(
            at: server.issuer,
            as: server.client,
            secret: ClientSecret(revealing: "a-secret"),
            for: ScriptedServer.openid,
            keepingTokensIn: store,
            options: options,
            in: server.context
        )
    }

    private var asked: BackchannelAuthenticationRequest {
        var asked = BackchannelAuthenticationRequest(for: .login("anna"), scope: ScriptedServer.openid)
        asked.bindingMessage = BindingMessage(parsing: "Ticket 4711")
        asked.acrValues = ["urn:countersign:acr:password"]
        return asked
    }

    /// Standard: RFC 9470 §4.
    @Test func `asks for what a service demands of a person`() throws {
        let value =
            #"Bearer error="insufficient_user_authentication", acr_values="a b", max_age="60", scope="pay openid""#
        let challenge = try #require(StepUpChallenge(parsing: [value]))
        let request = signIn().request(answering: challenge, for: .login("anna"))
        #expect(request.form.encoded == "scope=openid+pay&login_hint=anna&acr_values=a+b")
    }

    @Test func `asks, waits, and learns who it is`() async throws {
        server.transport.reply(
            at: "/token",
            with: .error(.authorizationPending), .error(.slowDown),
            ScriptedServer.granted(try server.idToken(server.claims))
        )
        let signIn = signIn(wait: 30)
        let awaited = try await signIn.start(asked)
        guard case .signedIn(let signedIn) = try await signIn.outcome(of: awaited) else {
            Issue.record("nobody was signed in")
            return
        }
        #expect(signedIn.identity?.subject == Subject("anna-1"))
        let started = try #require(server.transport.sent(to: "/bc-authorize").first)
        #expect(started.form["login_hint"] == "anna" && started.form["binding_message"] == "Ticket 4711")
        #expect(started.form["acr_values"] == "urn:countersign:acr:password")
        #expect(started.form["client_notification_token"] == nil)
        #expect(started.request.headerFields[.authorization]?.hasPrefix("Basic ") == true)
        let polls = server.transport.sent(to: "/token")
        #expect(polls.count == 3)
        #expect(polls.allSatisfy { $0.form["grant_type"] == "urn:openid:params:grant-type:ciba" })
        #expect(polls.allSatisfy { $0.form["auth_req_id"] == id.revealed })
        let prefer = try #require(HTTPField.Name("Prefer"))
        #expect(polls[0].request.headerFields[prefer] == "wait=30")
    }

    /// The person has the question before them, and may decide within the interval.
    @Test(arguments: [(true, 0.0), (false, 5.0)])
    func `asks at once where the server holds the request`(knowsRequestsAgain: Bool, pause: Double) async throws {
        var metadata = server.metadata
        metadata.backchannelAuthenticationEndpoint = server.issuer.appending("bc-authorize")
        metadata.requestIDParameterSupported = knowsRequestsAgain
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        let signIn = signIn(wait: 30)
        let awaited = try await signIn.start(asked)
        let before = server.clock.date
        _ = try await signIn.outcome(of: awaited)
        #expect(server.clock.date.timeIntervalSince(before) == pause)
    }

    @Test func `withdraws its question when it is cancelled`() async throws {
        server.transport.reply(at: "/token", with: .silence)
        server.transport.reply(at: "/revoke", with: .status(.ok))
        let signIn = signIn(wait: 30)
        let awaited = try await signIn.start(asked)
        let waiting = Task { () async -> SignInError.Code? in
            do throws(SignInError) {
                _ = try await signIn.outcome(of: awaited)
                return nil
            } catch {
                return error.code
            }
        }
        await server.transport.requests(1, to: "/token")
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        #expect(server.transport.sent(to: "/revoke").map { $0.form["token"] } == [id.revealed])
    }

    @Test func `keeps the tokens before it says that it is done`() async throws {
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        let store = MemoryTokenStore()
        let signIn = signIn(keepingTokensIn: store)
        let outcome = try await signIn.outcome(of: try await signIn.start(asked))
        let kept = try #require(try await store.signedIn(for: server.signInKey))
        #expect(outcome == .signedIn(kept))
    }

    @Test func `asks nobody when the tokens could not be kept`() async throws {
        let store = FailingTokenStore()
        await store.fail(opening: .keyringUnavailable)
        let signIn = signIn(keepingTokensIn: store)
        await #expect(throws: SignInError(.keyringUnavailable, because: "")) { try await signIn.start(asked) }
        #expect(server.transport.sent().isEmpty)
    }

    @Test func `gives the tokens back when they cannot be kept`() async throws {
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        server.transport.reply(at: "/revoke", with: .status(.ok))
        let store = FailingTokenStore()
        await store.fail(saving: .notWritten)
        let signIn = signIn(keepingTokensIn: store)
        let awaited = try await signIn.start(asked)
        await #expect(throws: SignInError(.notStored, because: "")) { try await signIn.outcome(of: awaited) }
        #expect(!server.transport.sent(to: "/revoke").isEmpty)
    }

    @Test func `gives the tokens back where nobody can be told by them`() async throws {
        var claims = server.claims
        claims.audience = Audience(["another-client"])
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(claims)))
        server.transport.reply(at: "/revoke", with: .status(.ok))
        let signIn = signIn()
        let awaited = try await signIn.start(asked)
        await #expect(throws: SignInError.self) { try await signIn.outcome(of: awaited) }
        #expect(!server.transport.sent(to: "/revoke").isEmpty)
    }

    @Test(arguments: [
        (OAuthError.Code.accessDenied, BackchannelOutcome.denied), (.expiredToken, .expired),
    ])
    func `learns of a denial and of an end`(code: OAuthError.Code, outcome: BackchannelOutcome) async throws {
        server.transport.reply(at: "/token", with: .error(code))
        let signIn = signIn()
        #expect(try await signIn.outcome(of: try await signIn.start(asked)) == outcome)
    }

    @Test(arguments: [
        (OAuthError.Code.unknownUserID, SignInError.Code.refused), (.invalidBindingMessage, .refused),
        (.unauthorizedClient, .clientRefused), (.invalidScope, .scopeRefused),
    ])
    func `is told what the server objects to`(code: OAuthError.Code, meaning: SignInError.Code) async throws {
        server.transport.reply(at: "/bc-authorize", with: .error(code))
        let signIn = signIn()
        let error = await #expect(throws: SignInError.self) { try await signIn.start(asked) }
        #expect(error?.code == meaning && error?.providerCode == code.rawValue)
    }

    @Test(arguments: [
        (ScriptedTransport.Reply.status(.tooManyRequests), SignInError.Code.tooFast), (.error(.slowDown), .tooFast),
        (.status(.serviceUnavailable), .serverFailure), (.error(.temporarilyUnavailable), .serverFailure),
    ])
    func `tells a limit from a server that is away`(reply: ScriptedTransport.Reply, code: SignInError.Code) async throws
    {
        server.transport.reply(at: "/bc-authorize", with: reply)
        let signIn = signIn()
        await #expect(throws: SignInError(code, because: "")) { try await signIn.start(asked) }
    }

    @Test func `tells the same at the first request of all`() async throws {
        server.transport.reply(at: ScriptedServer.path, with: .status(.tooManyRequests))
        let signIn = signIn()
        await #expect(throws: SignInError(.tooFast, because: "")) { try await signIn.start(asked) }
    }

    @Test func `does not ask twice when the answer was lost, since that would be another prompt`() async throws {
        server.transport.reply(
            at: "/bc-authorize", with: .failure(TransportError(.interrupted, because: "lost")))
        let signIn = signIn()
        await #expect(throws: SignInError(.notReachable, because: "")) { try await signIn.start(asked) }
        #expect(server.transport.sent(to: "/bc-authorize").count == 1)
    }

    @Test func `asks at once after the server has called, and takes calls of nobody else`() async throws {
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        let signIn = signIn()
        var awaited = try await signIn.start(asked, expectingCalls: true)
        let token = try #require(awaited.notificationToken)
        #expect(server.transport.sent(to: "/bc-authorize").first?.form["client_notification_token"] == token.revealed)
        let other = BackchannelNotification.decided(AuthenticationRequestID(revealing: "other"))
        for (notification, header) in [
            (other, token.headerValue), (.decided(id), "Bearer guess"), (.decided(id), token.revealed),
            (.decided(id), nil as String?),
        ] {
            let isTaken = awaited.take(notification, authorization: header)
            #expect(!isTaken && !awaited.isDecided)
        }
        let isTaken = awaited.take(.decided(id), authorization: token.headerValue)
        #expect(isTaken && awaited.isDecided)
        let before = server.clock.date
        guard case .signedIn = try await signIn.outcome(of: awaited) else {
            Issue.record("nobody was signed in")
            return
        }
        #expect(server.clock.date == before)
    }

    @Test func `takes no calls when it expects none`() async throws {
        let signIn = signIn()
        var awaited = try await signIn.start(asked)
        let isTaken = awaited.take(.decided(id), authorization: "Bearer anything")
        #expect(!isTaken)
    }

    @Test func `needs a server that offers it`() async throws {
        server.transport.reply(at: ScriptedServer.path, with: .json(server.metadata))
        let signIn = signIn()
        await #expect(throws: SignInError(.flowNotOffered, because: "")) { try await signIn.start(asked) }
    }
}
