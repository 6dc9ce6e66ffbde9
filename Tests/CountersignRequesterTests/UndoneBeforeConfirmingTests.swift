import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("An approval that was undone before the person at the screen confirmed it")
struct UndoneBeforeConfirmingTests {
    private static let ended = HTTPFields(
        dictionaryLiteral: (.wwwAuthenticate, #"Bearer error="invalid_token""#))

    private func server(answering reply: ScriptedTransport.Reply...) throws -> ScriptedServer {
        let server = try ScriptedServer()
        var metadata = server.metadata
        metadata.userInfoEndpoint = server.issuer.appending("userinfo")
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        server.transport.reply(at: "/userinfo", with: reply)
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        return server
    }

    @Test func `signs nobody in, says so, and stores nothing`() async throws {
        let server = try server(answering: .status(.unauthorized, fields: Self.ended))
        let store = MemoryTokenStore()
        let (result, events) = await server.signIn(for: ScriptedServer.openid, keepingTokensIn: store).run()
        let error = #expect(throws: SignInError.self) { try result.get() }
        #expect(error?.code == .denied)
        #expect(error?.sentence == "The approval was undone, so nobody is signed in. If that was a mistake, try again.")
        #expect(events.contains { if case .confirming = $0 { true } else { false } })
        #expect(await store.keys().isEmpty)
        let sent = server.transport.sent(to: "/userinfo")
        #expect(sent.map { $0.request.headerFields[.authorization] } == ["Bearer access-1"])
    }

    @Test func `is asked for once the person has confirmed, and only then`() async throws {
        let server = try server(answering: .status(.ok))
        let signIn = server.signIn(for: ScriptedServer.openid)
        let signedIn = try await signIn.run { _ in
            #expect(server.transport.sent(to: "/userinfo").isEmpty)
            return .continue
        }
        #expect(signedIn.identity?.subject == Subject("anna-1"))
        #expect(server.transport.sent(to: "/userinfo").count == 1)
        _ = await server.signIn(for: ScriptedServer.openid).run(answering: .notMe)
        _ = try await server.signIn().run().result.get()
        #expect(server.transport.sent(to: "/userinfo").count == 1)
    }

    @Test func `is not asked for once the access token has expired, however late the person confirms`() async throws {
        let server = try server(answering: .status(.unauthorized, fields: Self.ended))
        let signedIn = try await server.signIn(for: ScriptedServer.openid).run { _ in
            server.clock.advance(by: .seconds(301))
            return .continue
        }
        #expect(signedIn.identity?.subject == Subject("anna-1"))
        #expect(server.transport.sent(to: "/userinfo").isEmpty)
    }

    /// The next use of the tokens tells it then.
    @Test(arguments: [
        ScriptedTransport.Reply.status(.serviceUnavailable), .status(.forbidden), .status(.unauthorized),
        .failure(TransportError(.notReached, because: "no route")),
    ])
    func `is not assumed where the server does not say so`(reply: ScriptedTransport.Reply) async throws {
        let server = try server(answering: reply)
        let (result, _) = await server.signIn(for: ScriptedServer.openid).run()
        #expect(try result.get().identity?.subject == Subject("anna-1"))
        #expect(!server.transport.sent(to: "/userinfo").isEmpty)
    }
}
