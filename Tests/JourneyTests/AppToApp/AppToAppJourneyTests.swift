import Countersign
import CountersignRequester
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@Suite("An app that signs in by another app, at the real server", .timeLimit(.minutes(10)))
struct AppToAppJourneyTests {
    private struct App {
        let opener = SystemOpener()
        let store = MemoryTokenStore()
        let server: JourneyServer

        /// The app as a new process would make it, with the same store.
        func signIn() -> AppToAppSignIn {
            AppToAppSignIn(
                at: ProviderProfile(discoveredAt: server.issuer),
                as: JourneyParties.recipes,
                returningTo: AppRedirects(native: "com.example.recipes:/signed-in"),
                for: Scope([.openid, .profile]),
                opening: opener,
                keepingTokensIn: store,
                options: AppToAppOptions(),
                in: RequesterContext(over: OverheardTransport(), clock: server.clock.skipping, random: .system)
            )
        }

        func address() async throws -> String {
            _ = try await signIn().start()
            return try #require(opener.opened.last).absoluteString
        }
    }

    @Test func `is signed in by its next start as the person who approved, and renews its tokens`() async throws {
        try await JourneyServer.with { server in
            let app = App(server: server)
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            let back = try await anna.authorize(try await app.address())
            #expect(back.hasPrefix("com.example.recipes:/signed-in?code="))

            let completion = try #require(try await app.signIn().finish(with: back).granted)
            let signedIn = try #require(completion.signedIn)
            #expect(signedIn.identity?.subject == JourneyPerson.anna.subject)
            #expect(try await JourneyScreen.api(at: server.issuer).isActive(signedIn.accessToken))
            // The same answer has no effect a second time.
            #expect(try await app.signIn().finish(with: back).isUnasked)

            let refresher = TokenRefresher(
                at: server.issuer,
                as: JourneyParties.recipes,
                keepingTokensIn: app.store,
                in: RequesterContext(over: OverheardTransport(), clock: server.clock.skipping, random: .system)
            )
            #expect(try await refresher.refresh().accessToken != signedIn.accessToken)
            #expect(try await refresher.signOut().isRevoked)
        }
    }

    @Test func `is told that the person denied`() async throws {
        try await JourneyServer.with { server in
            let app = App(server: server)
            let anna = JourneyVisitor(at: server.issuer)
            try await anna.signIn(as: .anna)
            let back = try await anna.authorize(try await app.address(), answering: .deny)
            guard case .denied = try await app.signIn().finish(with: back) else {
                Issue.record("not denied: \(back)")
                return
            }
        }
    }

    @Test func `takes no answer that it did not ask for, and no code without its verifier`() async throws {
        try await JourneyServer.with { server in
            let (app, attacker) = (App(server: server), App(server: server))
            let ben = JourneyVisitor(at: server.issuer)
            try await ben.signIn(as: .ben)
            let injected = try await ben.authorize(try await attacker.address())
            #expect(try await app.signIn().finish(with: injected).isUnasked)

            // Another program on the device caught the address: the code is worth nothing to it.
            let query = try #require(injected.split(separator: "?").last)
            let code = try #require(try Form(parsing: Array(query.utf8))["code"])
            var stolen = TokenRequest.authorizationCode(
                AuthorizationCode(revealing: code),
                redirectURI: "com.example.recipes:/signed-in",
                verifier: CodeVerifier(revealing: String(repeating: "x", count: 43))
            ).form
            stolen["client_id"] = JourneyParties.recipes.rawValue
            let answer = try await LoopbackHTTP.post(stolen, to: "\(server.issuer)/token")
            #expect(answer.response.status == .badRequest)
        }
    }
}
