import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

@testable import CountersignRequester

/// An app that signs in at the fake provider of OpenID Connect, over this machine's network.
private struct AppAtProvider {
    static let client = ClientID("recipes")
    static let redirect = "com.example.recipes:/signed-in"

    let clock = ManualClock()
    let opener = ScriptedOpener(apps: ["http:"])
    let provider: OpenIDProvider
    let signIn: AppToAppSignIn
    let network = LimitedTransport(SystemTransport.make())

    /// - Parameter place: Another place where the provider is looked for; `https` for its own, with TLS.
    init(at place: String? = nil) async throws {
        provider = try await OpenIDProvider.start(
            clock: clock.source, drawingFrom: SeededRandom(seed: 3).source)
        provider.register(Self.client, secret: nil, returningTo: [Self.redirect])
        var options = AppToAppOptions()
        options.network.attempts = 1
        signIn = AppToAppSignIn(
            at: ProviderProfile(
                discoveredAt: try Issuer(
                    place == "https" ? provider.base.replacing("http:", with: "https:") : place ?? provider.base)),
            as: Self.client,
            returningTo: AppRedirects(native: Self.redirect),
            for: Scope([.openid, .profile]),
            opening: opener,
            keepingTokensIn: MemoryTokenStore(),
            options: options,
            in: RequesterContext(over: network, clock: clock.skipping, random: SeededRandom(seed: 4).source)
        )
    }

    /// Signs in, with Anna in front of the browser.
    func answer() async throws -> AuthorizationAnswer<CodeCompletion> {
        _ = try await signIn.start()
        let opened = try #require(opener.opened.last)
        return try await signIn.finish(with: provider.answer(to: opened.absoluteString))
    }

    /// The error of the sign-in; `nil` if it succeeds.
    func failure() async throws -> SignInError.Code? {
        do {
            guard case .granted(let completion) = try await answer() else { return .denied }
            guard case .failed(let error, _) = completion else { return nil }
            return error.code
        } catch let error as SignInError {
            return error.code
        }
    }
}

@Suite("A fake provider of OpenID Connect")
struct OpenIDProviderTests {
    @Test(arguments: ["ES256", "RS256", "EdDSA"])
    func `signs an app in, and knows who it was`(algorithm: String) async throws {
        let app = try await AppAtProvider()
        if algorithm == "RS256" { app.provider.signByRSA() }
        if algorithm == "EdDSA" { app.provider.signByEd25519() }
        let answer = try await app.answer()
        guard case .granted(let completion) = answer, let signedIn = completion.signedIn else {
            Issue.record("Not signed in: \(answer)")
            return
        }
        #expect(signedIn.identity?.subject == app.provider.person.subject)
        #expect(signedIn.identity?.name == "Anna Beispiel")
        #expect(app.provider.received.map(\.path).contains("/token"))
        await app.provider.stop()
    }

    @Test func `goes on with new keys`() async throws {
        let app = try await AppAtProvider()
        #expect(try await app.failure() == nil)
        app.provider.rotateKeys()
        #expect(try await app.failure() == nil)
        app.provider.rotateKeys(keepingOld: false)
        #expect(try await app.failure() == nil)
        await app.provider.stop()
    }

    @Test(arguments: [
        IDTokenDefect.otherIssuer, .otherAudience, .otherParty, .otherNonce, .noNonce, .otherTokenHash, .otherCodeHash,
        .expired,
        .fromTheFuture, .notYetValid, .unsigned,
        .signedByPublicKey, .otherKey, .damaged, .noSubject, .missing,
    ])
    func `is not believed when its token lies`(lie: IDTokenDefect) async throws {
        let app = try await AppAtProvider()
        app.provider.lie(in: [lie])
        #expect(try await app.failure() == (lie == .missing ? .identityMissing : .identityRefused))
        await app.provider.stop()
    }

    @Test func `can deny, and knows its apps`() async throws {
        let app = try await AppAtProvider()
        app.provider.isDenying = true
        #expect(try await app.answer() == .denied)
        #expect(throws: OAuthError(.invalidRequest, because: "")) {
            try app.provider.answer(to: "\(app.provider.issuer)/authorize?client_id=other&response_type=code")
        }
        await app.provider.stop()
    }

    private static let everywhere: [ProviderFault] = [
        .reset, .silence, .status(401), .status(403), .status(429), .status(500), .status(503), .badUTF8, .huge,
        .truncated,
        .answer(200, type: "text/html", body: "<html>"), .answer(200, type: "application/json", body: "[]"),
    ]
    /// Faults of the address of a step, which the metadata name; they have none in themselves.
    private static let elsewhere: [ProviderFault] = [.refused, .unknownHost, .noTLS]
    private static let faults: [(OpenIDProvider.Step, ProviderFault)] = {
        var all: [(OpenIDProvider.Step, ProviderFault)] = [
            (.keys, .missing("keys")), (.token, .missing("access_token")), (.token, .missing("id_token")),
        ]
        for member in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"] {
            all.append((.discovery, .missing(member)))
        }
        for step in [OpenIDProvider.Step.discovery, .keys, .token] {
            for fault in everywhere + (step == .discovery ? [] : elsewhere) { all.append((step, fault)) }
        }
        return all
    }()

    @Test(arguments: faults)
    func `fails at every step with one error`(step: OpenIDProvider.Step, fault: ProviderFault) async throws {
        let app = try await AppAtProvider()
        app.provider.fail(at: step, with: fault)
        app.network.expect(fault)
        #expect(try await app.failure() != nil)
        // And works again, with the next attempt.
        app.provider.fail(at: step)
        app.network.expect(nil)
        #expect(try await app.failure() == nil || elsewhere(fault))
        await app.provider.stop()
    }

    /// The wrong address is known to the app from metadata that were right otherwise.
    private func elsewhere(_ fault: ProviderFault) -> Bool { Self.elsewhere.contains(fault) }

    @Test(arguments: ["http://127.0.0.1:1", "https://provider.invalid", "https"])
    func `is said to be out of reach when it is not there`(place: String) async throws {
        let app = try await AppAtProvider(at: place)
        let failure = try await app.failure()
        #expect(place == "https" ? failure != nil : failure == .notReachable)
        await app.provider.stop()
    }
}
