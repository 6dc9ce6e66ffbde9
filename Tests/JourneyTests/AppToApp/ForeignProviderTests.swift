import Countersign
import CountersignRequester
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import Testing

@Suite("An app at providers that it does not know", .timeLimit(.minutes(10)))
struct ForeignProviderTests {
    @Test(.enabled(if: GlewlwydProvider.exists, "needs glewlwyd"))
    func `signs in at glewlwyd, which knows neither iss nor DPoP, and renews its tokens`() async throws {
        try await GlewlwydProvider.with { provider in
            let (opener, store) = (SystemOpener(), MemoryTokenStore())
            let signIn = AppToAppSignIn(
                at: ProviderProfile(discoveredAt: provider.issuer),
                as: GlewlwydProvider.client,
                returningTo: AppRedirects(native: GlewlwydProvider.redirectURI),
                for: Scope([.openid]),
                opening: opener,
                keepingTokensIn: store
            )
            #expect(try await signIn.start() == .opened(.webAddress))
            let back = try await provider.authorize(try #require(opener.opened.last).absoluteString)
            #expect(back.hasPrefix("\(GlewlwydProvider.redirectURI)?"))
            let answer = try await signIn.finish(with: back)
            let signedIn = try #require(answer.granted?.signedIn, "\(answer)")
            #expect(signedIn.identity?.issuer == provider.issuer.text)
            #expect(signedIn.key == nil)
            let tokens = TokenRefresher(at: provider.issuer, as: GlewlwydProvider.client, keepingTokensIn: store)
            let renewed = try await tokens.refresh()
            #expect(renewed.accessToken != signedIn.accessToken)
            #expect(renewed.identity == signedIn.identity)
        }
    }

    @Test func `gives the answer of one provider to no other, although both are signed in to at once`() async throws {
        try await JourneyServer.with { honest in
            try await JourneyServer.with { attacker in
                let store = MemoryTokenStore()
                let (atHonest, atAttacker) = (App(honest, store), App(attacker, store))
                _ = try await atHonest.signIn.start()
                _ = try await atAttacker.signIn.start()
                let anna = JourneyVisitor(at: honest.issuer)
                try await anna.signIn(as: .anna)
                let honestAddress = try #require(atHonest.opener.opened.last)
                let attackerAddress = try #require(atAttacker.opener.opened.last)

                // The attacker's provider sends the browser on to the honest one, with the state of its own request.
                var parts = try #require(URLComponents(url: honestAddress, resolvingAgainstBaseURL: false))
                parts.queryItems = parts.queryItems?.map { item in
                    item.name == "state"
                        ? URLQueryItem(name: "state", value: attackerAddress.parameters["state"]) : item
                }
                let back = try await anna.authorize(try #require(parts.string))
                #expect(try await atAttacker.signIn.finish(with: back) == .rejected(.otherIssuer))
                #expect(atAttacker.network.polls == 0, "no code reaches the attacker")
                #expect(try await atHonest.signIn.finish(with: back).isUnasked)

                // The honest sign-in goes on as if nothing had been.
                let good = try await anna.authorize(honestAddress.absoluteString)
                #expect(try await atHonest.signIn.finish(with: good).granted?.signedIn != nil)
            }
        }
    }

    private struct App {
        let opener = SystemOpener()
        // The requests stand in the address, so that a provider can send on another's.
        let network = OverheardTransport(hidesPushedRequests: true)
        let signIn: AppToAppSignIn

        init(_ server: JourneyServer, _ store: MemoryTokenStore) {
            signIn = AppToAppSignIn(
                at: ProviderProfile(discoveredAt: server.issuer),
                as: JourneyParties.recipes,
                returningTo: AppRedirects(native: FeatureApp.native),
                for: Scope([.openid]),
                opening: opener,
                keepingTokensIn: store,
                in: RequesterContext(over: network, clock: server.clock.skipping, random: .system)
            )
        }
    }
}
