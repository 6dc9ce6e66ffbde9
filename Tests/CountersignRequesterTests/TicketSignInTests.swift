import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

/// Standard: OpenID for Verifiable Credential Issuance 1.0 §6.1 (the grant type alone).
@Suite("A sign-in by a scanned ticket")
struct TicketSignInTests {
    private let server: ScriptedServer
    private let store = MemoryTokenStore()
    private let ticket = EnrollmentTicket(revealing: "fQ3Zr8m1cX0b7Lw2Yk5T9A")

    init() throws {
        server = try ScriptedServer()
    }

    private var signIn: TicketSignIn { signIn(keepingTokensIn: store) }

    private func signIn(
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions()
    ) -> TicketSignIn {
        TicketSignIn(
            at: server.issuer,
            as: server.client,
            keepingTokensIn: store,
            options: options,
            in: server.context
        )
    }

    private func redeeming() async -> SignInError.Code? {
        do throws(SignInError) {
            _ = try await signIn.redeem(ticket)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `redeems the ticket once, and is kept where it is renewed`() async throws {
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        let signedIn = try await signIn.redeem(ticket)
        let sent = server.transport.sent(to: "/token")
        #expect(sent.count == 1)
        #expect(sent.first?.form["grant_type"] == "urn:ietf:params:oauth:grant-type:pre-authorized_code")
        #expect(sent.first?.form["pre-authorized_code"] == ticket.revealed)
        #expect(sent.first?.form["client_id"] == server.client.rawValue)
        #expect(signedIn.identity != nil)
        #expect(try await store.signedIn(for: server.signInKey) == signedIn)
    }

    @Test func `ends the sign-in that it replaces where that is asked for, and is none the worse when that fails`()
        async throws
    {
        let key = server.signInKey
        let older = CompletedSignIn(
            accessToken: AccessToken(revealing: "older-access"),
            refreshToken: RefreshToken(revealing: "older-refresh"),
            expires: nil,
            scope: .none,
            identity: nil
        )
        var options = SignInOptions()
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
        try await store.save(older, for: key)
        _ = try await signIn.redeem(ticket)
        #expect(server.revoked.isEmpty)
        options.endsReplacedSignIn = true
        for reply in [ScriptedTransport.Reply.status(.ok), .status(.serviceUnavailable)] {
            let before = server.revoked.count
            try await store.save(older, for: key)
            server.transport.reply(at: "/revoke", with: reply)
            server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(server.claims)))
            let signedIn = try await signIn(keepingTokensIn: store, options: options).redeem(ticket)
            #expect(Array(server.revoked.dropFirst(before)) == ["older-refresh", "older-access"])
            #expect(try await store.signedIn(for: key) == signedIn)
        }
    }

    @Test func `is repeated only where the ticket certainly did not arrive`() async throws {
        server.transport.reply(
            at: "/token",
            with: .failure(TransportError(.notReached, because: "")),
            ScriptedServer.granted(try server.idToken(server.claims)))
        #expect(await redeeming() == nil)
        for lost in [
            ScriptedTransport.Reply.failure(TransportError(.interrupted, because: "")),
            .failure(TransportError(.timedOut, because: "")), .status(.badGateway), .status(.internalServerError),
        ] {
            let before = server.transport.sent(to: "/token").count
            server.transport.reply(at: "/token", with: lost)
            #expect(await redeeming() == .answerLost)
            #expect(server.transport.sent(to: "/token").count == before + 1)
        }
    }

    @Test func `spends no ticket when what it gives could not be kept`() async throws {
        let store = FailingTokenStore()
        await store.fail(opening: .keyringUnavailable)
        let signIn = signIn(keepingTokensIn: store)
        await #expect(throws: SignInError(.keyringUnavailable, because: "")) { try await signIn.redeem(ticket) }
        #expect(server.transport.sent().isEmpty)
    }

    @Test func `says that a ticket is not good any more`() async throws {
        server.transport.reply(at: "/token", with: .error(.invalidGrant))
        #expect(await redeeming() == .expired)
        server.transport.reply(at: "/token", with: .error(.unauthorizedClient))
        #expect(await redeeming() == .clientRefused)
        #expect(await store.keys().isEmpty)
    }

    @Test func `gives the tokens back when somebody else is named in them`() async throws {
        var claims = server.claims
        claims.audience = Audience(["another-app"])
        server.transport.reply(at: "/token", with: ScriptedServer.granted(try server.idToken(claims)))
        #expect(await redeeming() == .identityRefused)
        #expect(!server.transport.sent(to: "/revoke").isEmpty)
        #expect(await store.keys().isEmpty)
    }
}
