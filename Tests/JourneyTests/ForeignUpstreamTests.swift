import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// A provider that others wrote, with people's accounts.
@Suite("A person with an account at glewlwyd", .timeLimit(.minutes(10)))
struct ForeignUpstreamTests {
    private static let here = ClientID("here")
    private static let secret = ClientSecret(revealing: "here-7d9f1c2b3a4e5f60718293a4")

    /// The provider as our server knows it.
    private func upstream(_ issuer: Issuer, created: Date) -> IdentityProvider {
        var provider = IdentityProvider(
            id: IdentityProvider.ID("glewlwyd"),
            displayName: "Glewlwyd",
            issuer: IdentityIssuer(issuer.text),
            kind: .openID(
                IdentityProvider.OpenID(client: Self.here, credential: .secret(Self.secret.revealed))
            ),
            created: created
        )
        provider.makesAccounts = true
        return provider
    }

    @Test(.enabled(if: GlewlwydProvider.exists, "needs glewlwyd"))
    func `signs in with it, and is the same person the next time`() async throws {
        // The provider's clock is that of the machine.
        try await JourneyServer.with(clock: ManualClock(Date())) { server in
            try await GlewlwydProvider.with { foreign in
                let provider = upstream(foreign.issuer, created: server.clock.date)
                try await foreign.add(
                    Self.here, secret: Self.secret, returningTo: provider.redirectURI(at: server.issuer))
                try await server.change { try $0.identityProviders.insert(provider) }

                for _ in 1...2 {
                    let visitor = JourneyVisitor(at: server.issuer)
                    let leaving = try await visitor.submit(
                        try await visitor.open("/login"),
                        to: "/login/with/glewlwyd",
                        ["return_to": "/account"],
                        expecting: "Glewlwyd"
                    )
                    let link = try #require(leaving.markup.firstMatch(of: /href="([^"]+\/auth\?[^"]+)"/)?.1)
                    let back = try await foreign.authorize(String(link).replacing("&amp;", with: "&"))
                    #expect(back.hasPrefix("\(server.issuer)/login/with/glewlwyd/callback?"))
                    let account = try await visitor.open(back)
                    #expect(account.markup.contains("Where you are signed in"), "\(account.markup)")
                    #expect(account.markup.contains("Disconnect"))
                    // An answer counts once, and in the browser that was sent.
                    #expect(try await visitor.open(back).markup.contains("Where you are signed in") == false)
                }
                try await server.change { repositories in
                    let known = try repositories.identities.count(of: provider.issuer).all
                    #expect(known == 1)
                }
            }
        }
    }
}
