import CountersignRequester
import Foundation
import Testing

/// The examples in the documentation of the requester, word for word: `Scripts/check-examples.py` compares them.
@Suite("The requester's examples")
struct RequesterExamples {
    private let directory = "/var/lib/radio/tokens"

    @Test func `set options`() {
        var options = SignInOptions()
        options.renewals = 2  // A code that expired is replaced twice.

        #expect(options.renewals == 2)
    }

    @Test func `read a challenge`() throws {
        let challenge = CrossPlatformChallenge(name: "AP", uri: "https://id.example.com/cpa", modes: [.user])
        var response = HTTPResponse(status: .unauthorized)
        response.headerFields[.wwwAuthenticate] = challenge.headerValue

        #expect(CrossPlatformChallenge(in: response.headerFields) == challenge)
    }

    // The rest is compiled only: it needs a person, or a network.

    static func signIn(on screen: TelevisionScreen, at issuer: Issuer, for scope: Scope) async throws {
        let signIn = SignIn(at: issuer, as: "tv", for: scope)
        for try await event in signIn { screen.show(event) }  // ends with .signedIn(…)
    }

    static func signInAndStore(on television: TelevisionScreen, of radio: Radio) async throws {
        var screen = SignInScreen.system
        screen.name = "Kitchen radio"
        screen.store = SealedFileTokenStore(directory: "/var/lib/radio/tokens")
        let signIn = SignIn(
            at: try Issuer("https://id.example.com"),
            as: "kitchen-radio",
            for: Scope([.openid, .profile, .offlineAccess]),
            on: screen
        )
        do {
            for try await event in signIn {
                switch event {
                case .invitation(let invitation): television.show(invitation.verificationURI, invitation.userCode)
                case .confirming(let question):
                    let agrees = await television.ask("Continue as \(question.identity.displayName)?")
                    question.answer(agrees ? .continue : .notMe)
                case .signedIn(let signedIn): radio.start(with: signedIn)
                default: television.show(event.sentence ?? "")
                }
            }
        } catch let error as SignInError {
            television.show(error.sentence)
        }
    }

    static func signInShortly(on screen: TelevisionScreen, at issuer: Issuer, for scope: Scope) async throws {
        let signIn = SignIn(at: issuer, as: "kitchen-radio", for: scope)
        for try await event in signIn { screen.show(event) }
    }

    static func runShortly(_ signIn: SignIn, on screen: TelevisionScreen, of radio: Radio) async throws {
        let signedIn = try await signIn.run { identity in
            await screen.ask("Continue as \(identity.displayName)?") ? .continue : .notMe
        }
        radio.start(with: signedIn)
    }

    static func answer(_ event: SignInEvent, on screen: TelevisionScreen) async {
        switch event {
        case .confirming(let question):
            question.answer(await screen.ask("Continue as \(question.identity.displayName)?") ? .continue : .notMe)
        default: break
        }
    }

    static func describeScreen() -> SignInScreen {
        var screen = SignInScreen.system
        screen.name = "Living room TV"
        screen.store = SealedFileTokenStore(directory: "/var/lib/tv/tokens")
        return screen
    }

    static func presentProofs(
        _ ticket: EnrollmentTicket,
        _ reverseAuth: ReverseAuth,
        choosing choose: @escaping @Sendable ([SystemAccount]) async -> SystemAccount.ID?
    ) -> SignInScreen {
        var screen = SignInScreen.system
        screen.proofs = [.ticket(ticket)]
        screen.proofs = [.account { try await ProviderToken(reverseAuth.perform(choosing: choose)) }]
        return screen
    }

    static func comeBack(by opener: any AppOpener, with address: String) async -> SignInScreen {
        var screen = SignInScreen.system
        let browser = LinkedBrowser(opening: opener, returningTo: "https://tv.example.com/signed-in")
        screen.browser = browser
        await browser.returned(with: address)  // with each address that the system opens the app with
        return screen
    }

    #if os(Linux)
    static func comeBackToThisMachine() -> SignInScreen {
        var screen = SignInScreen(name: "Living room TV")
        screen.browser = LoopbackBrowser(opening: XDGOpener())
        return screen
    }
    #endif

    static func identify(with secret: ClientSecret) -> [ClientIdentity] {
        let tv: ClientIdentity = "tv"
        let backend = ClientIdentity(ClientID("backend"), secret: secret)
        return [tv, backend]
    }

    static func remember(_ signedIn: CompletedSignIn) -> SignInScreen {
        var screen = SignInScreen.system
        screen.rememberedPerson = signedIn.rememberedPerson
        return screen
    }

    static func watch(
        at issuer: Issuer, for scope: Scope, keepingTokensIn store: some TokenStore, on screen: TelevisionScreen
    ) async throws {
        let household = Household(at: issuer, as: "tv", keepingTokensIn: store)
        let person = await screen.askWhoIsWatching(try await household.people())  // nil for somebody else
        for try await event in household.signIn(as: person, for: scope) { screen.show(event) }
    }

    static func leave(
        with tokens: TokenRefresher, by browser: some SignInBrowser, on screen: TelevisionScreen
    ) async throws {
        let result = try await tokens.signOut(endingSessionIn: browser)
        if result.session != .ended { screen.show("You may still be signed in in the browser.") }
    }

    static func narrow() throws -> SignInOptions {
        var options = SignInOptions()
        options.ways = [.code, .nearby]
        options.ways = try Set(naming: ["code", "nearby"])  // as a person or a configuration spells them
        return options
    }

    static func watch(_ signIn: SignIn, on screen: TelevisionScreen) async {
        for await event in signIn.events { screen.show(event) }
    }

    static func run(_ signIn: SignIn, on screen: TelevisionScreen, of radio: Radio, ask: @escaping SignIn.Confirm) async
    {
        func offerAnotherCode() {}

        do throws(SignInError) {
            radio.start(with: try await signIn.run(confirming: ask))
        } catch {
            if error.code == .expired { offerAnotherCode() } else { screen.show(error.sentence) }
        }
    }

    static func ask(
        _ asked: HTTPRequest,
        with tokens: TokenRefresher,
        send: (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let request = try await tokens.authorized(asked)
        var response = try await send(request)
        if let again = try await tokens.authorized(request, after: response) {
            response = try await send(again)
        }
        return response
    }

    static func open(_ page: SignInPage, in browser: Browser) async {
        func show(_ page: SignInPage) async {
            browser.open(page.address(returningTo: SignInPage.usualReturn)) { back in page.returned(with: back) }
        }
        await show(page)
    }

    static func authorize(on screen: any SignInPresentation) async throws {
        let provider = CrossPlatformProvider(
            at: try Issuer("https://login.example.org/cpa"),
            as: ClientRegistrationRequest(clientName: "Radio", softwareID: "com.example.radio", softwareVersion: "1.0"),
            keepingTokensIn: SealedFileTokenStore(directory: "/var/lib/radio/tokens")
        )
        let domain = Domain("radio.example.com")

        if let token = try await provider.token(for: domain) { play(with: token) }  // no network
        let token = try await provider.requestToken(for: domain, ofType: .user, presenting: screen)
        play(with: token)
    }

    static func authorize(
        after response: HTTPResponse,
        as software: ClientRegistrationRequest,
        for domain: Domain,
        presenting screen: any SignInPresentation,
        keepingTokensIn store: SealedFileTokenStore
    ) async throws {
        if let challenge = CrossPlatformChallenge(in: response.headerFields), challenge.modes.contains(.user) {
            let provider = CrossPlatformProvider(at: try challenge.address(), as: software, keepingTokensIn: store)
            play(with: try await provider.requestToken(for: domain, ofType: .user, presenting: screen))
        }
    }

    static func authorize(
        for domain: Domain,
        presenting presentation: any SignInPresentation,
        keepingTokensIn store: SealedFileTokenStore
    ) async throws {
        let provider = CrossPlatformProvider(
            at: try Issuer("https://login.example.org/cpa"),
            as: ClientRegistrationRequest(clientName: "Radio", softwareID: "com.example.radio", softwareVersion: "1.0"),
            keepingTokensIn: store
        )
        if let token = try await provider.token(for: domain) { play(with: token) }
        let token = try await provider.requestToken(for: domain, ofType: .user, presenting: presentation)
        play(with: token)
    }
}

/// Stores and refreshers.
extension RequesterExamples {
    static func share(at issuer: Issuer, as client: ClientID) async throws -> AccessToken {
        let store = SealedFileTokenStore(directory: "/var/lib/radio/tokens", group: TokenGroup("radio"))
        let tokens = TokenRefresher(at: issuer, as: client, keepingTokensIn: store)
        let token = try await tokens.signedIn().accessToken
        return token
    }

    static func store(at issuer: Issuer, as client: ClientIdentity, for scope: Scope) -> SignIn {
        let store = SealedFileTokenStore(directory: "/var/lib/radio/tokens")
        let signIn = SignIn(at: issuer, as: client, for: scope, on: SignInScreen(keepingTokensIn: store))
        return signIn
    }

    static func storeForGroup(at issuer: Issuer, as client: ClientIdentity, for scope: Scope) -> SignIn {
        let store = SealedFileTokenStore(directory: "/var/lib/radio/tokens", group: TokenGroup("radio"))
        let signIn = SignIn(at: issuer, as: client, for: scope, on: SignInScreen(keepingTokensIn: store))
        return signIn
    }

    static func request(at issuer: Issuer, from store: SealedFileTokenStore) async throws -> HTTPRequest {
        let asked = HTTPRequest(method: .get, scheme: "https", authority: "radio.example.com", path: "/tags")
        let tokens = TokenRefresher(at: issuer, as: ClientID("kitchen-radio"), keepingTokensIn: store)
        let request = try await tokens.authorized(asked)
        return request
    }

    static func find(in store: SealedFileTokenStore) async throws -> CompletedSignIn? {
        let key = TokenStoreKey.signIn(at: try Issuer("https://id.example.com"), as: ClientID("kitchen-radio"))
        let signedIn = try await store.signedIn(for: key)
        return signedIn
    }

    static func reload(
        _ screen: TelevisionScreen,
        from store: SealedFileTokenStore,
        at issuer: Issuer,
        as client: ClientID
    ) async throws {
        for await key in store.changes where key == .signIn(at: issuer, as: client) {
            screen.show(try await store.signedIn(for: key))
        }
    }

    private static func play(with token: CrossPlatformToken) {}
}

private func makeSignIn() throws -> SignIn {
    let signIn = SignIn(at: try Issuer("https://id.example.com"), as: "kitchen-radio", for: Scope([.openid]))
    return signIn
}

/// The types that the examples take for granted: a screen, a radio and a browser.
struct TelevisionScreen {
    func askWhoIsWatching(_ people: [Household.Person]) async -> Household.Person? { people.first }
    func ask(_ question: String) async -> Bool { false }
    func choose(among approvers: [NearbyApprover]) async -> NearbyApprover.ID? { approvers.first?.id }
    func show(_ event: SignInEvent) {}
    func show(_ sentence: String) {}
    func show(_ place: URL, _ code: UserCodeText?) {}
    func show(_ signedIn: CompletedSignIn?) {}
    func showTemporaryFailure(until date: Date) {}
}

struct Radio {
    func start(with signedIn: CompletedSignIn) {}
}

struct Browser {
    func open(_ place: URL, _ back: @escaping @Sendable (String) -> Void) {}
}

struct SecureElement {
    func read() async -> [UInt8]? { nil }
    func write(_ bytes: [UInt8]) async {}
}

private let element = SecureElement()

struct SecureElementKey: SealingKeyStore {
    func find() async throws(TokenStoreError) -> SealingKey? {
        await element.read().flatMap(SealingKey.init(revealing:))
    }

    func keep(_ key: SealingKey) async throws(TokenStoreError) -> SealingKey {
        if let first = try await find() { return first }
        await element.write(key.revealed)
        return key
    }
}

struct Terminal: SignInPresentation {
    func show(_ page: SignInPage) async {
        print("Open \(page.invitation.verificationURI) and type \(page.invitation.userCode?.rawValue ?? "nothing")")
    }
    func replace(with page: SignInPage) async { await show(page) }
    func dismiss() async { print("Done.") }
}
