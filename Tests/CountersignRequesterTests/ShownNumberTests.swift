import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

@Suite("The number of a sign-in")
struct ShownNumberTests {
    private static func pending(_ number: String?) -> ScriptedTransport.Reply {
        let error = OAuthError(.authorizationPending, because: "scripted")
        return .json(
            OAuthErrorResponse(error, showing: number.map { VerificationNumber($0) }), status: .badRequest)
    }

    private static func numbers(_ events: [SignInEvent]) -> [VerificationNumber?] {
        events.compactMap { event -> VerificationNumber?? in
            if case .verificationNumber(let number) = event { .some(number) } else { nil }
        }
    }

    @Test func `is told to the screen when it changes, and to the server with each poll`() async throws {
        let server = try ScriptedServer(
            Self.pending(nil), Self.pending("42"), Self.pending("42"), Self.pending("07"), Self.pending(nil),
            ScriptedServer.granted())
        let (result, events) = await server.signIn { $0.showsNumber = true }.run()
        _ = try result.get()
        #expect(Self.numbers(events) == [VerificationNumber("42"), VerificationNumber("07"), nil])
        let prefer = try #require(HTTPField.Name("Prefer"))
        #expect(
            server.transport.sent(to: "/device_authorization").first?.request.headerFields[prefer]
                == "verification-number")
        #expect(
            server.transport.sent(to: "/token").map { $0.request.headerFields[prefer] } == [
                "verification-number", "verification-number", "verification-number=42", "verification-number=42",
                "verification-number=07", "verification-number",
            ])
    }

    @Test func `is spoken of to no server by a screen that shows none`() async throws {
        let server = try ScriptedServer(Self.pending(nil), ScriptedServer.granted())
        _ = try await server.signIn().run().result.get()
        let prefer = try #require(HTTPField.Name("Prefer"))
        for path in ["/device_authorization", "/token"] {
            #expect(server.transport.sent(to: path).allSatisfy { $0.request.headerFields[prefer] == nil })
        }
    }

    @Test func `is digits, whatever a server sends`() async throws {
        let server = try ScriptedServer(Self.pending("\u{1B}[2J"), Self.pending("123456789"), ScriptedServer.granted())
        let (_, events) = await server.signIn { $0.showsNumber = true }.run()
        #expect(Self.numbers(events).isEmpty)
    }
}
