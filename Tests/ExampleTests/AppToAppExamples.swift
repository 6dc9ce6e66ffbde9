import CountersignRequester
import Foundation
import Testing

/// The examples in the documentation of sign-in by another app, word for word: `Scripts/check-examples.py` compares
/// them.
@Suite("The examples of signing in by another app")
struct AppToAppExamples {
    @Test func `name redirect URIs`() throws {
        let own = try RedirectURI("com.example.app:/signed-in")
        let link = try RedirectURI("https://app.example.com/signed-in")
        let redirects = AppRedirects(
            native: "com.example.app:/signed-in",
            universal: "https://app.example.com/signed-in"
        )

        #expect(own.kind == .privateUse && link.kind == .claimed)
        #expect(redirects.native == own.text)
    }

    @Test func `describe providers`() throws {
        let anyProvider = ProviderProfile(discoveredAt: try Issuer("https://id.example.com"))
        let foursquare = ProviderProfile.foursquare

        #expect(anyProvider.app == nil)
        #expect(foursquare.needsBackend)
    }

    @Test func `make a verifier`() {
        let verifier: CodeVerifier = CodeMint(drawingFrom: .system).secret()
        let challenge = CodeChallenge(of: verifier)  // sent with the authorization request

        #expect(challenge.isMet(by: verifier))
    }

    @Test func `set options`() {
        var options = AppToAppOptions()
        options.prompts = [.selectAccount]  // The person may want another account than last time.

        #expect(options.lifetime == .seconds(600))
    }

    // The rest is compiled only: it needs a person, or a network.

    struct PrintingOpener: AppOpener {
        func canOpen(_ address: URL) async -> Bool { true }
        func open(_ address: URL) async -> Bool {
            print("Open \(address)")
            return true
        }
    }

    static func signIn(at issuer: Issuer, opener: some AppOpener, store: some TokenStore, address: String) async throws
    {
        let signIn = AppToAppSignIn(
            at: ProviderProfile(discoveredAt: issuer),
            as: ClientID("recipes"),
            returningTo: AppRedirects(native: "com.example.recipes:/signed-in"),
            for: Scope([.openid, .profile, .offlineAccess]),
            opening: opener,
            keepingTokensIn: store
        )
        let start = try await signIn.start()  // the person is in another app now
        let answer = try await signIn.finish(with: address)  // with the address that this app is opened with afterwards

        _ = (start, answer)
    }

    static func start(_ signIn: AppToAppSignIn, on screen: AppScreen) async throws {
        switch try await signIn.start(offeringStore: true) {
        case .opened: break
        case .appNotInstalled(let page?), .appTooOld(let page?): screen.offer(page)
        case let problem: screen.show("\(problem)")
        }
    }

    static func receive(_ address: String, _ signIn: AppToAppSignIn, on screen: AppScreen, of app: App) async throws {
        let backend = AppServer()
        switch try await signIn.receive(address) {
        case .granted(let code): try await backend.redeem(code.handover)
        case .denied: screen.show("You did not allow it.")
        case .unasked: screen.offerToSignIn()
        case .otherAddress: app.open(address)
        case .refused, .rejected: screen.show("That did not work. Try again.")
        }
    }

    static func verify(_ token: UnverifiedIDToken, beside tokens: TokenResponse, of handover: CodeHandover) async throws
    {
        let verifier = IdentityVerifier(at: .apple, for: [ClientID("com.example.app")])
        let person = try await verifier.identity(
            in: token,
            repeating: handover.nonce,
            beside: tokens.accessToken,
            redeemedFrom: handover.code
        )

        _ = person.subject
    }

    static func complete(_ completion: CodeCompletion, on screen: AppScreen, of app: App) {
        switch completion {
        case .signedIn(let signedIn): app.start(with: signedIn)
        case .refused(let error): log("the provider says \(error.code)")
        case .failed(let error, let advice): screen.show(error.sentence, offeringAnotherTry: advice == .signInAgain)
        }
    }

    static func combine(_ answer: AuthorizationAnswer<RedeemableCode>, _ signIn: AppToAppSignIn) async throws {
        let completed = await answer.map { await signIn.redeem($0) }

        _ = try completed.get()
    }

    static func finish(with address: String, _ signIn: AppToAppSignIn) async throws -> CompletedSignIn {
        let signedIn = try await signIn.finish(with: address).get()

        return signedIn
    }

    private static func log(_ line: String) {}
}

/// An app, as far as the examples need one.
struct App {
    func start(with signedIn: CompletedSignIn) {}
    func open(_ address: String) {}
}

struct AppScreen {
    func show(_ words: String, offeringAnotherTry: Bool = false) {}
    func offer(_ page: ProviderApp.StorePage) {}
    func offerToSignIn() {}
}

struct AppServer {
    func redeem(_ handover: CodeHandover) async throws {}
}
