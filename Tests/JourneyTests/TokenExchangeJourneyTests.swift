import Countersign
import CountersignRequester
import CountersignServer
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

/// From another provider's sign-in to one of ours, by the library of apps at the real server.
@Suite("An app with a sign-in at another provider", .timeLimit(.minutes(10)))
struct TokenExchangeJourneyTests {
    private func signIn(
        at server: JourneyServer,
        for scope: Scope = Scope([.openid, .profile]),
        keepingTokensIn store: any TokenStore = MemoryTokenStore(),
        over transport: any HTTPTransport = SystemTransport.make(),
        _ change: (inout SignInOptions) -> Void = { _ in }
    ) -> TokenExchangeSignIn {
        var options = SignInOptions()
        change(&options)
        return TokenExchangeSignIn(
            at: server.issuer,
            as: JourneyParties.tv,
            for: scope,
            keepingTokensIn: store,
            options: options,
            in: RequesterContext(over: transport, clock: server.clock.skipping, random: .system)
        )
    }

    @Test func `exchanges the ID token for a sign-in, which is kept and renewed like any other`() async throws {
        try await ExchangeProvider.play(.hashed) { server, provider in
            let store = MemoryTokenStore()
            let nonce = SubjectTokenNonce(drawingFrom: .system)
            let token = ProviderToken.idToken(try await provider.idToken(nonce: nonce.challenge), nonce: nonce)
            let signIn = signIn(at: server, keepingTokensIn: store)
            let signedIn = try await signIn.exchange(token)
            #expect(signedIn.identity?.displayName == "Anna Example")
            #expect(signedIn.identity?.issuer == server.issuer.text)
            #expect(try await JourneyScreen.api(at: server.issuer).isActive(signedIn.accessToken))
            let refresher = TokenRefresher(
                at: server.issuer,
                as: JourneyParties.tv,
                keepingTokensIn: store,
                in: RequesterContext(over: SystemTransport.make(), clock: server.clock.source, random: .system)
            )
            let renewed = try await refresher.refresh()
            #expect(renewed.accessToken != signedIn.accessToken)
            // The token counts once, and a thief has no nonce to it.
            await #expect(throws: SignInError(.subjectTokenRefused, because: "")) { try await signIn.exchange(token) }
            let stolen = ProviderToken.idToken(try await provider.idToken(nonce: nonce.challenge))
            await #expect(throws: SignInError(.subjectTokenRefused, because: "")) { try await signIn.exchange(stolen) }
            #expect(try await refresher.signOut().isRevoked)
        }
    }

    @Test func `gets a nonce first where the server demands its own, and a token that is bound to its key`()
        async throws
    {
        try await ExchangeProvider.play(.issued) { server, provider in
            let signIn = signIn(at: server) { $0.binding = .required }
            let nonce = try await signIn.nonce()
            let token = try await provider.idToken(nonce: nonce.challenge)
            let signedIn = try await signIn.exchange(.idToken(token, nonce: nonce))
            #expect(signedIn.key != nil)
            let again = try await provider.idToken(nonce: nonce.challenge)
            await #expect(throws: SignInError(.subjectTokenRefused, because: "")) {
                try await signIn.exchange(.idToken(again, nonce: nonce))
            }
        }
    }

    @Test func `says so when the answer was lost, and does not ask a second time`() async throws {
        try await ExchangeProvider.play(.matching) { server, provider in
            let transport = LossyTransport(OverheardTransport(), losing: "/token")
            let token = ProviderToken.idToken(try await provider.idToken(nonce: nil))
            await #expect(throws: SignInError(.answerLost, because: "")) {
                try await signIn(at: server, over: transport).exchange(token)
            }
            await #expect(throws: SignInError(.subjectTokenRefused, because: "")) {
                try await signIn(at: server).exchange(token)
            }
        }
    }

    @Test func `exchanges what reverse authentication gave`() async throws {
        try await JourneyServer.with { server in
            let twitter = try await TwitterProvider.start(clock: server.clock.source, drawingFrom: .system)
            let provider = IdentityProvider(
                id: IdentityProvider.ID("twitter"), displayName: "X", issuer: IdentityIssuer("https://x.com"),
                kind: .oauth1(
                    IdentityProvider.OAuth1(
                        consumer: twitter.app.client,
                        secret: ProviderSecret(revealing: twitter.app.secret.revealed), base: twitter.base)),
                created: server.clock.date)
            try await server.addExchange(of: provider, naming: TwitterPerson().id)
            let accounts = StoredAccounts(
                in: MemoryTokenStore(), clock: server.clock.source, drawingFrom: .system
            ) { _, _ in true }
            let account = twitter.account(of: TwitterPerson())
            try await accounts.add(account, with: twitter.addAccount(TwitterPerson()))
            let attempt = ReverseAuth(
                at: twitter.addresses,
                as: twitter.app,
                named: "Recipes",
                with: accounts,
                in: RequesterContext(over: SystemTransport.make(), clock: server.clock.source, random: .system)
            )
            let credentials = try await attempt.perform { $0.first?.id }
            let signedIn = try await signIn(at: server).exchange(ProviderToken(credentials))
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            twitter.revoke(credentials.token.token)
            #expect(twitter.forged.isEmpty)
            await twitter.stop()
        }
    }
}
