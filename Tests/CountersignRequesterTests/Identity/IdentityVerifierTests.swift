import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignRequester

@Suite("A person whom an app’s server verifies")
struct IdentityVerifierTests {
    private static let example = Result {
        AccountSource.openID(at: try Issuer("https://id.example.com"), named: "Example")
    }
    private static let sources: [AccountSource] =
        [
            .apple, .google, .microsoft(), .microsoft(tenant: "01234567-89ab-cdef-0123-456789abcdef"),
            .facebookLimitedLogin,
        ] + [try? example.get()].compactMap(\.self)

    @Test(arguments: sources)
    func `is known by issuer and subject at each source`(source: AccountSource) async throws {
        let app = try await AppWithServer(at: source)
        let person = try await app.person()
        #expect(person.issuer == app.provider.issuer && !person.issuer.contains("127.0.0.1"))
        #expect(person.subject == app.provider.person.subject)
        await app.provider.stop()
    }

    @Test func `is the same person however Google spells its issuer`() async throws {
        let app = try await AppWithServer(at: .google)
        let person = try await app.person()
        let handover = try await app.handover()
        app.provider.issuer = "accounts.google.com"
        let token = try #require(try await app.tokens(for: handover).idToken)
        #expect(try await app.verifier.identity(in: token, repeating: handover.nonce) == person)
        await app.provider.stop()
    }

    @Test(arguments: sources, IDTokenDefect.allCases.filter { ![.missing, .noAuthTime].contains($0) })
    func `is nobody when the token lies`(source: AccountSource, lie: IDTokenDefect) async throws {
        let app = try await AppWithServer(at: source)
        app.provider.lie(in: [lie])
        #expect(try await app.failure() == .identityRefused)
        await app.provider.stop()
    }

    @Test func `is not taken from the token of another request or another app`() async throws {
        let app = try await AppWithServer(at: try Self.example.get())
        await #expect(throws: SignInError(.identityRefused, because: "")) {
            try await app.person { _ in "another nonce" }
        }
        let handover = try await app.handover()
        let tokens = try await app.tokens(for: handover)
        let token = try #require(tokens.idToken)
        await #expect(throws: SignInError(.identityRefused, because: "")) {
            try await app.verifier.identity(
                in: token, repeating: handover.nonce, beside: AccessToken(revealing: "another"))
        }
        await #expect(throws: SignInError(.identityRefused, because: "")) {
            try await app.verifier.identity(
                in: token, repeating: handover.nonce, redeemedFrom: AuthorizationCode(revealing: "another"))
        }
        #expect(
            try await app.verifier.identity(in: token, repeating: handover.nonce).subject
                == app.provider.person.subject)
        await app.provider.stop()
    }

    @Test func `costs no question once the keys are known, and goes on with new keys`() async throws {
        let app = try await AppWithServer(at: .facebookLimitedLogin)
        for _ in 1...3 { _ = try await app.person() }
        #expect(app.keyFetches == 1)
        app.provider.rotateKeys(keepingOld: false)
        app.clock.advance(by: .seconds(11))
        #expect(try await app.failure() == nil)
        #expect(app.keyFetches == 2)
        // Known keys serve while the provider is down.
        app.provider.fail(at: .keys, with: .status(503))
        app.clock.advance(by: .seconds(3000))
        #expect(try await app.failure() == nil)
        await app.provider.stop()
    }

    @Test(
        arguments: [OpenIDProvider.Step.discovery, .keys],
        [ProviderFault.reset, .silence, .status(429), .status(503), .badUTF8, .huge, .truncated])
    func `is not known, and nobody hangs, while the provider cannot say its keys`(
        step: OpenIDProvider.Step,
        fault: ProviderFault
    ) async throws {
        let app = try await AppWithServer(at: .google)
        let handover = try await app.handover()
        let tokens = try await app.tokens(for: handover)
        let token = try #require(tokens.idToken)
        app.provider.fail(at: step, with: fault)
        app.network.expect(fault)
        await #expect(throws: SignInError.self) {
            try await app.verifier.identity(in: token, repeating: handover.nonce)
        }
        app.provider.fail(at: step)
        app.network.expect(nil)
        app.clock.advance(by: .seconds(3))
        #expect(
            try await app.verifier.identity(in: token, repeating: handover.nonce).subject
                == app.provider.person.subject)
        await app.provider.stop()
    }

    @Test func `cannot be verified at a provider without ID tokens`() async throws {
        let app = try await AppWithServer(at: .google)
        let token = try #require(try await app.tokens(for: try await app.handover()).idToken)
        await app.provider.stop()
        let verifier = IdentityVerifier(
            at: .foursquare,
            for: [ClientID("app")],
            in: RequesterContext(over: ScriptedTransport(), clock: ManualClock().skipping, random: .system)
        )
        await #expect(throws: SignInError(.identityRefused, because: "")) {
            try await verifier.identity(in: token, repeating: nil)
        }
    }
}
