import CountersignResource
import Foundation
import Hummingbird
import Testing

/// The examples in the documentation of protected services, word for word: `Scripts/check-examples.py` compares them.
@Suite("The resource's examples")
struct ResourceExamples {
    private let secret = "8mPw0bXJ2o5ZrGk1TtYqNfVd7hLcSaUe"

    @Test func `set limits`() {
        var limits = TokenCacheLimits()
        limits.good = 10  // A revoked token is refused after ten seconds at the latest.

        #expect(limits.good == 10)
    }

    @Test func `challenge in two ways`() {
        let challenge =
            ResourceChallenge.both(
                CrossPlatformChallenge(name: "Our AP", uri: "https://id.example.com/cpa", modes: [.client, .user]),
                realm: "radio"
            )

        #expect(challenge != .bearer(realm: "radio"))
    }

    @Test func `check by introspection`() throws {
        let checker = IntrospectionChecker(
            at: try Endpoint("https://id.example.com/introspect"),
            as: ClientID("radio-service"),
            secret: ClientSecret(revealing: secret),
            audience: ResourceName("https://radio.example.com")
        )
        let guarded = ResourceGuard<BasicResourceRequestContext>(
            checking: checker,
            challenge: .bearer(realm: "radio"),
            clock: .system
        )
        _ = guarded.requiring(Scope([ScopeWord("tags")]))
    }

    @Test func `accept proofs`() throws {
        let checker = SignedTokenChecker(
            issuer: IssuerName("https://id.example.com"),
            keysAt: try Endpoint("https://id.example.com/jwks"),
            audience: ResourceName("https://radio.example.com")
        )
        let guarded = ResourceGuard<BasicResourceRequestContext>(
            checking: checker,
            challenge: .bearer(realm: "radio"),
            clock: .system
        ).acceptingProofs(at: WebOrigin("https://radio.example.com"))
        _ = guarded.requiring(Scope([ScopeWord("tags")]))
    }

    @Test func `check by signature`() throws {
        let checker = SignedTokenChecker(
            issuer: IssuerName("https://id.example.com"),
            keysAt: try Endpoint("https://id.example.com/jwks"),
            audience: ResourceName("https://radio.example.com")
        )
        _ = checker
    }

    @Test func `guard routes`() throws {
        let checker = try CrossPlatformChecker(
            at: Issuer("https://id.example.com/cpa"),
            for: Domain("radio.example.com"),
            credential: ServiceCredential(revealing: secret)
        )
        let guarded = ResourceGuard<BasicResourceRequestContext>(
            checking: checker,
            challenge: .crossPlatform(
                CrossPlatformChallenge(name: "Our AP", uri: "https://id.example.com/cpa", modes: [.client, .user])
            ),
            clock: .system
        )
        let router = Router(context: BasicResourceRequestContext.self)
        router.group("tags").add(middleware: guarded).get { _, context in
            "Tags of \(try context.requireToken().person?.rawValue ?? "an app")"
        }
        router.group("account").add(middleware: guarded.requiringPerson())
    }

    @Test func `protect a service, step by step`() async throws {
        let guarded = ResourceGuard<BasicResourceRequestContext>(
            checking: TestTokens(), challenge: .bearer(realm: "radio"), clock: .system)
        #expect(Self.routes(behind: guarded).routes.count == 4)
    }

    private static func routes(
        behind guarded: ResourceGuard<BasicResourceRequestContext>
    ) -> Router<BasicResourceRequestContext> {
        let router = Router(context: BasicResourceRequestContext.self)
        router.get("health") { _, _ in "fine" }
        router.group("now").add(middleware: guarded).get { _, context in
            "A song for \(try context.requireToken().displayName ?? "everybody")"
        }
        router.group("favourites").add(middleware: guarded.requiringPerson()).get { _, context in
            "The favourites of \(try context.requireToken().person?.rawValue ?? "nobody")"
        }
        router.group("tags").add(middleware: guarded.requiring(Scope([ScopeWord("tags")]))).post { _, context in
            "Added by \(try context.requireToken().client?.rawValue ?? "an app")"
        }
        return router
    }

    static func run(_ router: Router<BasicResourceRequestContext>) async throws {
        let address = ApplicationConfiguration(address: .hostname("127.0.0.1", port: 8090))
        try await Application(router: router, configuration: address).runService()
    }

    @Test func `check in a way of its own`() async throws {
        let verdict = try await TestTokens().check(AccessToken(revealing: "letmein"), at: Date())

        #expect(verdict == .good(TokenFacts(client: ClientID("tests"))))
    }
}

struct TestTokens: TokenChecker {
    func check(_ token: AccessToken, at now: Date) async throws(TokenCheckError) -> TokenVerdict {
        token == AccessToken(revealing: "letmein")
            ? .good(TokenFacts(client: ClientID("tests"))) : .notGood(because: "it is another one")
    }
}

struct RadioContext: ResourceRequestContext {
    var coreContext: CoreRequestContextStorage
    var verifiedToken: VerifiedToken?

    init(source: Source) { coreContext = .init(source: source) }
}
