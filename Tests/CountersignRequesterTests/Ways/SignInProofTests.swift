import Countersign
import CountersignTesting
import CountersignWire
import Testing

@testable import CountersignRequester

@Suite("A proof that needs no other person")
struct SignInProofTests {
    private static let ticket = SignInProof.ticket(EnrollmentTicket(revealing: "fQ3Zr8m1cX0b7Lw2Yk5T9A"))
    private static let token = SignInProof.token(.accessToken(AccessToken(revealing: "of-another-provider")))

    private struct NoAccount: Error {}

    private func screen(_ proofs: SignInProof...) -> SignInScreen {
        var screen = SignInScreen(name: "Kitchen radio")
        screen.proofs = proofs
        return screen
    }

    @Test(arguments: [ticket, token, .account { .accessToken(AccessToken(revealing: "of-the-system")) }])
    func `signs in at once, and nobody else is asked`(proof: SignInProof) async throws {
        let server = try ScriptedServer(ScriptedServer.granted())
        let result = await server.signIn(on: screen(proof)).iterated()
        #expect(result.signedIn?.accessToken == AccessToken(revealing: "access-1"))
        #expect(result.events.contains(.presenting(proof.kind)))
        #expect(server.asked.isEmpty)
    }

    @Test func `is followed by the other ways when it is not accepted`() async throws {
        let server = try ScriptedServer(.error(.invalidGrant), .error(.invalidGrant), ScriptedServer.granted())
        let proofs = screen(Self.ticket, Self.token, .account { throw NoAccount() })
        let result = await server.signIn(on: proofs).iterated()
        #expect(result.signedIn != nil && result.finals == 1)
        #expect(result.events.contains(.notAccepted(.ticket, SignInError(.expired, because: ""))))
        #expect(result.events.contains(.notAccepted(.token, SignInError(.subjectTokenRefused, because: ""))))
        #expect(result.events.contains(.notAccepted(.account, SignInError(.accountUnusable, because: ""))))
        #expect(server.asked.count == 1)
    }

    @Test func `is the only way when the app chose no other`() async throws {
        let server = try ScriptedServer(.error(.invalidGrant))
        let result = await server.signIn(on: screen(Self.token)) { $0.ways = [] }.iterated()
        #expect(result.error == SignInError(.subjectTokenRefused, because: "") && result.finals == 1)
        #expect(server.asked.isEmpty)
    }

    @Test func `ends the sign-in when the network is away or the person is another one`() async throws {
        let away = try ScriptedServer(.failure(TransportError(.notReached, because: "no route")))
        #expect(
            await away.signIn(on: screen(Self.token)).iterated().error == SignInError(.notReachable, because: ""))
        let server = try ScriptedServer()
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        let result = await server.signIn(for: ScriptedServer.openid, on: screen(Self.token)).iterated(answering: .notMe)
        #expect(result.error == SignInError(.notMe, because: ""))
        #expect(away.asked.isEmpty && server.asked.isEmpty)
        #expect(server.revoked == ["refresh-1", "access-1"])
    }
}
