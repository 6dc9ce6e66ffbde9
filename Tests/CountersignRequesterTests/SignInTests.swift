import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

@Suite("A sign-in")
struct SignInTests {
    @Test func `finds the server, shows a code, waits, and brings the tokens`() async throws {
        let server = try ScriptedServer(.error(.authorizationPending), ScriptedServer.granted())
        let start = server.clock.date
        let (result, events) = await server.signIn(for: Scope([.profile])).run()

        let signedIn = try result.get()
        #expect(signedIn.accessToken == AccessToken(revealing: "access-1"))
        #expect(signedIn.refreshToken == RefreshToken(revealing: "refresh-1"))
        #expect(signedIn.scope == Scope([.profile]))
        #expect(signedIn.expires == start + 10 + 300)
        #expect(signedIn.identity == nil)
        let codes = server.codes()
        #expect(
            events == [
                .discovering,
                .invitation(try Invitation(codes, until: start + 600, allowingInsecureHTTP: false)),
                .waiting(until: start + 600),
                .signedIn(signedIn),
            ]
        )
        #expect(server.revoked.isEmpty)
    }

    @Test func `says in each request what the standard asks for`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        _ = try await server.signIn(for: Scope([.profile])).run().result.get()

        let asked = try #require(server.transport.sent(to: "/device_authorization").first)
        #expect(asked.request.method == .post)
        #expect(asked.request.authority == "id.example.com")
        #expect(asked.request.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(asked.form["client_id"] == "kitchen-radio")
        #expect(asked.form["scope"] == "profile")
        #expect(asked.form["device_name"] == "Kitchen radio")

        let polled = try #require(server.transport.sent(to: "/token").first)
        #expect(polled.form["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
        #expect(polled.form["device_code"] == "first-code")
        #expect(polled.form["client_id"] == "kitchen-radio")
        #expect(polled.request.headerFields[HTTPField.Name("Prefer")!] == nil)
    }

    /// Standard: RFC 9470 §4.
    @Test func `asks for the classes of authentication that a service demands`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        let wanted = [AuthenticationClass.nearby.rawValue, AuthenticationClass.passkey.rawValue]
        let value =
            "Bearer error=\"insufficient_user_authentication\", acr_values=\"\(wanted.joined(separator: " "))\", "
            + "max_age=\"300\""
        let challenge = try #require(StepUpChallenge(parsing: [value]))
        let demanded = SignInOptions(answering: challenge)
        _ = try await server.signIn(for: Scope([.profile])) {
            ($0.acrValues, $0.maxAge) = (demanded.acrValues, demanded.maxAge)
        }.run().result.get()
        let asked = try #require(server.transport.sent(to: "/device_authorization").first)
        #expect(asked.form["acr_values"] == "urn:countersign:acr:nearby urn:countersign:acr:passkey")
        #expect(asked.form["max_age"] == "300")
    }

    @Test(arguments: [
        (nil, true), (["client_secret_basic", "client_secret_post"], true), (["client_secret_post"], false),
    ])
    func `proves the app by a way that the server offers`(offered: [String]?, byHeader: Bool) async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        var metadata = server.metadata
        metadata.tokenEndpointAuthMethodsSupported = offered
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        _ = try await server.signIn(secret: ClientSecret(revealing: "s3")).run().result.get()

        for path in ["/device_authorization", "/token"] {
            let sent = try #require(server.transport.sent(to: path).first)
            let credentials = try PresentedCredentials(
                authorization: sent.request.headerFields[.authorization],
                form: sent.form
            )
            #expect(credentials.client == server.client)
            #expect(credentials.secret == ClientSecret(revealing: "s3"))
            #expect(credentials.method == (byHeader ? .clientSecretBasic : .clientSecretPost))
        }
    }

    @Test func `asks the server to hold its requests, and asks again at once`() async throws {
        let applied = HTTPField.Name("Preference-Applied")!
        let server = try ScriptedServer(
            .error(.authorizationPending, fields: [applied: "wait=30"]),
            ScriptedServer.granted()
        )
        let start = server.clock.date
        _ = try await server.signIn { $0.wait = WaitPreference(seconds: 30) }.run().result.get()

        let sent = server.transport.sent(to: "/token")
        #expect(sent.map { $0.request.headerFields[HTTPField.Name("Prefer")!] } == ["wait=30", "wait=30"])
        #expect(sent.map(\.limit) == [.seconds(45), .seconds(45)])
        // The scripted server answers early, so the machine keeps to the interval.
        #expect(server.clock.date == start + 10)
    }

    @Test func `keeps the tokens before it says that it is done`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        let store = MemoryTokenStore()
        let signedIn = try await server.signIn(keepingTokensIn: store).run().result.get()
        #expect(try await store.signedIn(for: server.signInKey) == signedIn)
    }

    @Test func `gives the tokens back when they cannot be kept`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        let store = FailingTokenStore()
        await store.fail(saving: .notWritten)
        let (result, _) = await server.signIn(keepingTokensIn: store).run()
        #expect(throws: SignInError(.notStored, because: "")) { try result.get() }
        #expect(server.revoked == ["refresh-1", "access-1"])
    }

    @Test(arguments: [
        (TokenStoreError.Code.wrongKey, SignInError.Code.storeUnusable), (.keyUnfit, .keyUnfit),
        (.keyringUnavailable, .keyringUnavailable),
    ])
    func `bothers nobody when what is kept cannot be opened`(
        problem: TokenStoreError.Code,
        code: SignInError.Code
    ) async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        let store = FailingTokenStore()
        await store.fail(opening: problem)
        let (result, _) = await server.signIn(keepingTokensIn: store).run()
        #expect(throws: SignInError(code, because: "")) { try result.get() }
        #expect(server.transport.sent().isEmpty)
    }

    @Test func `says when the person said no`() async throws {
        let server = try ScriptedServer(.error(.authorizationPending), .error(.accessDenied))
        let (result, events) = await server.signIn().run()
        #expect(throws: SignInError(.denied, because: "")) { try result.get() }
        #expect(events.last == .failed(SignInError(.denied, because: "")))
    }

    @Test func `can be run again after it failed`() async throws {
        let server = try ScriptedServer(.error(.accessDenied), ScriptedServer.granted())
        let signIn = server.signIn()
        _ = await signIn.run()
        let (result, events) = await signIn.run()
        #expect(try result.get().accessToken == AccessToken(revealing: "access-1"))
        #expect(events.first == .discovering)
    }

    @Test func `shows a screen that comes late what stands now`() async throws {
        let server = try ScriptedServer(.silence)
        let signIn = server.signIn()
        let running = Task { try await signIn.run { _ in .continue } }
        await server.transport.requests(to: "/token")

        var late = signIn.events.makeAsyncIterator()
        guard case .invitation(let invitation) = await late.next() else { throw SignInError(.badAnswer, because: "") }
        #expect(invitation.userCode == UserCodeText("WDJB-MJHT"))
        #expect(await late.next() == .waiting(until: invitation.deadline))
        running.cancel()
        #expect(await late.next() == .failed(SignInError(.cancelled, because: "")))
        #expect(await late.next() == nil)
    }
}
