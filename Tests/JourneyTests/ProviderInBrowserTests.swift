import Countersign
import CountersignServer
import CountersignTesting
import CountersignWire
import Foundation
import Testing

/// Two servers of ours: people have their account at one, and sign in with it at the other.
@Suite("A person with an account at another provider", .timeLimit(.minutes(10)))
struct ProviderInBrowserTests {
    private static let here = ClientID("here")
    private static let secret = ClientSecret(revealing: "here-7d9f1c2b3a4e5f60718293a4")

    /// Lets people of `upstream` sign in at `server`.
    private func introduce(_ upstream: JourneyServer, to server: JourneyServer, makingAccounts: Bool) async throws {
        let now = server.clock.date
        var provider = IdentityProvider(
            id: IdentityProvider.ID("upstream"),
            displayName: "Upstream",
            issuer: IdentityIssuer(upstream.issuer.text),
            kind: .openID(
                IdentityProvider.OpenID(
                    client: Self.here,
                    credential: .secret(Self.secret.revealed),
                    scope: Scope([.profile])
                )
            ),
            created: now
        )
        provider.makesAccounts = makingAccounts
        let client = Client(
            id: Self.here,
            name: "The other server",
            kind: .confidential(Self.secret.digest),
            grantTypes: [.authorizationCode],
            scope: Scope([.openid, .profile]),
            tokenFormat: .opaque,
            redirects: RedirectRegistration(redirectURIs: [provider.redirectURI(at: server.issuer)]),
            created: now
        )
        try await upstream.change { try $0.clients.insert(client) }
        try await server.change { [provider] in try $0.identityProviders.insert(provider) }
    }

    /// Waits until the browser is at a page of this server that has this heading.
    private func arrive(_ browser: Browser, at server: JourneyServer, _ heading: String) async throws {
        try await browser.wait(for: "\(heading) at \(server.issuer)") {
            guard try await browser.address().hasPrefix(server.issuer.text) else { return false }
            return (try? await browser.heading()) == heading
        }
    }

    @Test func `signs in with it, and approves a screen without a password of ours`() async throws {
        let clock = ManualClock()
        try await JourneyServer.with(clock: clock) { upstream in
            try await BrowserStory.play(.phone, clock: clock) { story in
                try await introduce(upstream, to: story.server, makingAccounts: true)
                let browser = story.browser
                let codes = try await story.screen.ask()
                try await browser.open(try #require(codes.verificationURIComplete))
                try await browser.expect("Sign in", in: BrowserOptions.all)
                try await browser.press("Sign in with Upstream")
                try await arrive(browser, at: upstream, "Sign in")
                try await browser.signIn(as: .ben)
                try await browser.press("Approve")
                try await arrive(browser, at: story.server, "Did you open this from your own screen?")
                #expect(try await browser.element(".who").text() == "Signed in as Ben Example")
                try await browser.press("Continue")
                try await browser.press("Approve")
                try await browser.expect("Approved")
                #expect(try await story.isActive(story.screen.poll(codes).tokens))
                try await story.open("/account")
                try await browser.expect("Where you are signed in", in: BrowserOptions.all)
                // It is the only way in, so it stays.
                try await browser.press("Disconnect Upstream Ben Example")
                try await browser.press("Disconnect it")
                #expect(try await browser.text().contains("That is your only way to sign in."))
            }
        }
    }

    @Test func `connects it with the account here, and signs in with it from then on`() async throws {
        let clock = ManualClock()
        try await JourneyServer.with(clock: clock) { upstream in
            try await BrowserStory.play(.deskAtNight, clock: clock) { story in
                try await introduce(upstream, to: story.server, makingAccounts: false)
                let browser = story.browser
                try await story.open("/login")
                try await browser.press("Sign in with Upstream")
                try await arrive(browser, at: upstream, "Sign in")
                try await browser.signIn(as: .ben)
                try await browser.press("Approve")
                try await arrive(browser, at: story.server, "No account here is connected with Upstream")
                try await browser.expect(
                    "No account here is connected with Upstream", answering: 403, in: BrowserOptions.all)

                try await story.open("/login")
                try await browser.signIn(as: .anna)
                try await browser.press("Connect Upstream")
                // It has to be proved anew.
                try await arrive(browser, at: upstream, "Sign in")
                try await browser.signIn(as: .ben)
                try await arrive(browser, at: story.server, "Where you are signed in")
                #expect(try await browser.text().contains("Connected. You can sign in with it from now on."))
                try await browser.expect("Where you are signed in", in: BrowserOptions.all)
                try await browser.press("Sign out of this browser")
                try await browser.press("Sign in with Upstream")
                try await arrive(browser, at: story.server, "Where you are signed in")
                #expect(try await browser.element(".who").text() == "Signed in as Anna Example")
            }
        }
    }
}
