import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

import FoundationEssentialsCompat

@Suite("A sign-in by a code that the person typed")
struct PersonCodeSignInTests {
    private let code = PersonCode(revealing: "12345678")

    @Test func `sends it, shows no code of its own, and brings the tokens`() async throws {
        let server = try ScriptedServer(.error(.authorizationPending), ScriptedServer.granted())
        let start = server.clock.date
        let (result, events) = await server.signIn { $0.personCode = code }.run()
        let signedIn = try result.get()
        #expect(signedIn.accessToken == AccessToken(revealing: "access-1"))
        #expect(events == [.discovering, .codeAccepted, .waiting(until: start + 600), .signedIn(signedIn)])
        #expect(server.transport.sent(to: "/device_authorization").map { $0.form["person_code"] } == ["12345678"])
    }

    @Test func `ends when the code is refused, and says what to do`() async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        server.transport.reply(at: "/device_authorization", with: .error(.invalidGrant))
        let (result, events) = await server.signIn { $0.personCode = code }.run()
        let error = #expect(throws: SignInError(.codeRefused, because: "")) { try result.get() }
        #expect(!events.contains(.codeAccepted))
        #expect(error?.sentence.hasSuffix("Get a new one and type that.") == true)
        #expect(server.transport.sent(to: "/device_authorization").count == 1)
        #expect(server.transport.sent(to: "/token").isEmpty)
    }

    @Test func `is not renewed, because a code works once`() async throws {
        let server = try ScriptedServer(.error(.expiredToken))
        let (result, _) = await server.signIn {
            $0.personCode = code
            $0.renewals = 3
        }.run()
        #expect(throws: SignInError(.expired, because: "")) { try result.get() }
        #expect(server.transport.sent(to: "/device_authorization").count == 1)
    }
}
