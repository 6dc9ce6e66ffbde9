import CountersignRequester
import CountersignTesting
import Foundation
import Testing

/// The examples in the documentation of OAuth 1 and of the system's accounts, word for word.
@Suite("The examples of accounts and OAuth 1")
struct AccountExamples {
    @Test func `read a request and a header`() throws {
        let request = try OAuth1Request(.get, "https://api.example.com/photos?size=original&file=vacation.jpg")
        let header = try OAuth1Header(parsing: #"OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03""#)

        #expect(request.query.count == 2 && header.realm == "Photos")
    }

    @Test func `sign a request`() throws {
        let client = ClientCredentials(client: ClientID("app"), secret: OAuth1Secret(revealing: "secret"))
        let token = TokenCredentials(token: OAuth1Token("token"), secret: OAuth1Secret(revealing: "secret"))
        var fields: HTTPFields = [:]
        let signer = OAuth1Signer(as: client, for: token, clock: .system, drawingFrom: .system)
        let signed = try signer.sign(OAuth1Request(.get, "https://api.example.com/photos?size=original"))
        fields[.authorization] = signed.header

        #expect(fields[.authorization]?.hasPrefix("OAuth ") == true)
    }

    @Test func `configure providers`() {
        var twitter = ReverseAuthProvider.twitter
        twitter = Self.onX()
        #expect(twitter.profile.contains("api.x.com"))
        #expect(Self.graphOfToday().version == "v23.0")
    }

    private static func onX() -> ReverseAuthProvider {
        var provider = ReverseAuthProvider.twitter
        provider.profile = "https://api.x.com/1.1/account/verify_credentials.json"
        return provider
    }

    private static func graphOfToday() -> SocialGraphProvider {
        var provider = SocialGraphProvider.facebook
        provider.version = "v23.0"
        return provider
    }

    @Test func `use the fake providers`() async throws {
        let clock = ManualClock()
        let accounts = StoredAccounts(
            in: MemoryTokenStore(), clock: clock.source, drawingFrom: .system
        ) { _, _ in true }
        let provider = try await OpenIDProvider.start(
            clock: clock.source,
            drawingFrom: SeededRandom(seed: 1).source
        )
        provider.register(ClientID("app"), secret: nil, returningTo: ["com.example.app:/signed-in"])
        let redirect = "redirect_uri=com.example.app:/signed-in"
        let address = "\(provider.issuer)/authorize?client_id=app&response_type=code&\(redirect)&state=s"
        let answer = try provider.answer(to: address)  // the redirect, as when Anna allowed it in a browser
        provider.fail(at: .token, with: .status(503))
        await provider.stop()
        #expect(answer.contains("state=s"))
        try await accounts.register(AccountProviderID("recipes"), as: .oauth1)
        #expect(try await accounts.kind(of: AccountProviderID("recipes")) == .oauth1)

        let twitter = try await TwitterProvider.start(
            clock: clock.source,
            drawingFrom: SeededRandom(seed: 1).source
        )
        let anna = TwitterPerson()
        try await accounts.add(twitter.account(of: anna), with: twitter.addAccount(anna))
        let attempt = ReverseAuth(at: twitter.addresses, as: twitter.app, with: accounts)
        // The attempt reads the clock of this machine, which the provider does not follow.
        await #expect(throws: AccountError.self) { try await attempt.perform { $0.first?.id } }
        twitter.register(ClientID("app"), secret: nil, returningTo: ["com.example.app:/signed-in"])
        await twitter.stop()

        let graph = try await GraphProvider.start()
        let token = graph.issue(GraphToken(for: graph.app))
        graph.refuse(with: [GraphRefusal(190, 460)])  // the next look at the profile
        #expect(!token.revealed.isEmpty)
        await graph.stop()
    }

    // The rest is compiled only: it needs a person.

    static func verify(_ request: OAuth1Request, _ fields: HTTPFields, for keys: OAuth1VerificationKeys) throws {
        let now = Date(timeIntervalSince1970: 0)
        let unverified = try UnverifiedOAuth1Request(request, authorization: fields[.authorization])
        let verified = try unverified.verified(by: keys, accepting: [.hmacSHA256], at: now)
        _ = verified
    }

    static func verify(_ request: OAuth1Request, _ fields: HTTPFields, by accounts: any KnownClients) async throws {
        let verifier = OAuth1Verifier(accepting: [.hmacSHA1, .hmacSHA256], clock: .system) { client, token in
            try await accounts.keys(of: client, token)
        }
        let verified = try await verifier.verify(request, authorization: fields[.authorization])
        _ = verified
    }

    static func exchange(at issuer: Issuer, by apple: any AppleSoftware, in store: any TokenStore) async throws {
        let signIn = TokenExchangeSignIn(
            at: issuer, as: ClientID("recipes"), for: Scope([.openid, .offlineAccess]), keepingTokensIn: store)
        let nonce = SubjectTokenNonce(drawingFrom: .system)
        let token = try await apple.signIn(nonce: nonce.challenge)
        let signedIn = try await signIn.exchange(.idToken(token, nonce: nonce))
        _ = signedIn
    }

    static func exchange(after credentials: ReverseAuthCredentials, by signIn: TokenExchangeSignIn) async throws {
        let signedIn = try await signIn.exchange(ProviderToken(credentials))
        _ = signedIn
    }

    static func exchange(_ credential: any AppleCredential, _ nonce: SubjectTokenNonce) -> ProviderToken {
        let token = ProviderToken.idToken(UnverifiedIDToken(revealing: credential.identityToken), nonce: nonce)
        return token
    }

    static func accounts(on screen: any AccountScreen) -> StoredAccounts {
        let place = SealedFileTokenStore(
            directory: "/home/anna/.local/share/countersign/accounts",
            group: StoredAccounts.group
        )
        let accounts = StoredAccounts(in: place, clock: .system, drawingFrom: .system) { access, accounts in
            await screen.ask("May \(access.appName ?? access.app.rawValue) use your accounts?")
        }
        return accounts
    }

    #if SecretService && os(Linux)
    static func desktop(
        beside accounts: StoredAccounts,
        in place: SealedFileTokenStore,
        on screen: any AccountScreen
    ) -> CombinedAccounts {
        let desktop = GNOMEOnlineAccounts(
            rememberingAnswersIn: place,
            clock: .system,
            drawingFrom: .system
        ) { access, accounts in
            await screen.ask("May \(access.appName ?? access.app.rawValue) use your accounts?")
        }
        let both = CombinedAccounts(accounts, desktop)
        return both
    }
    #endif

    static func reverse(
        _ client: ClientCredentials,
        with accounts: StoredAccounts,
        on screen: any AccountScreen
    ) async throws {
        let attempt = ReverseAuth(as: client, named: "Recipes", with: accounts)
        let credentials = try await attempt.perform { accounts in
            await screen.choose(among: accounts)
        }
        _ = credentials
    }

    static func social(_ appID: ClientID, with accounts: StoredAccounts, on screen: any AccountScreen) async throws {
        let attempt = SocialGraphSignIn(as: appID, named: "Recipes", with: accounts)
        let credentials = try await attempt.perform { account in
            await screen.ask("Continue as \(account.name)?")
        }
        _ = credentials
    }

    static func socialOnce(
        _ client: ClientCredentials,
        with accounts: StoredAccounts,
        on screen: any AccountScreen
    ) async throws {
        let recipes = AccountAppCredentials(named: "Recipes", twitter: client, facebook: ClientID("1234"))
        let credentials = try await recipes.socialGraph(with: accounts).perform { account in
            await screen.ask("Continue as \(account.name)?")
        }
        _ = credentials
    }

    static func person(of signedIn: CompletedSignIn, for app: any AccountApp) async throws {
        let person = try await XProfile(over: SystemTransport.make()).person(of: signedIn)
        app.welcome(person.name)
    }

    static func problems(
        of attempt: ReverseAuth,
        with accounts: StoredAccounts,
        on screen: any AccountScreen,
        for app: any AccountApp,
        ask: @escaping @Sendable ([SystemAccount]) async -> SystemAccount.ID?
    ) async {
        do throws(AccountError) {
            app.start(with: try await attempt.perform(choosing: ask))
        } catch {
            screen.show(error.sentence)
            if error.nextStep == .openSettings { screen.show(accounts.settings.instruction) }
        }
    }

    static func choose(on screen: any AccountScreen) async {
        let sources: [AccountSource] = [.apple, .google, .microsoft(), .twitterAccount]
        let chosen = await screen.choose("Where do you have an account?", among: sources.map(\.name))
        _ = chosen
    }
}

/// A screen of an app.
protocol AccountScreen: Sendable {
    func ask(_ question: String) async -> Bool
    func choose(among accounts: [SystemAccount]) async -> SystemAccount.ID?
    func choose(_ question: String, among names: [String]) async -> Int?
    func show(_ text: String)
}

/// An app.
protocol AccountApp {
    func start(with credentials: ReverseAuthCredentials)
    func welcome(_ name: String)
}

/// The software of a provider for its sign-in.
protocol AppleSoftware {
    func signIn(nonce: String) async throws -> UnverifiedIDToken
}

/// The result of that software for an app.
protocol AppleCredential {
    var identityToken: String { get }
}

/// A server's look-up of the keys of its clients.
protocol KnownClients: Sendable {
    func keys(of client: ClientID, _ token: OAuth1Token?) async throws -> OAuth1VerificationKeys?
}

/// A database that several processes share.
protocol NonceDatabase: Sendable {
    func insertIfAbsent(_ digest: [UInt8], until expires: Date) async throws -> Bool
}

struct NonceTable: OAuth1NonceStore {
    let database: any NonceDatabase

    func use(_ nonce: OAuth1NonceUse, at now: Date) async throws -> OAuth1NonceAnswer {
        // INSERT … ON CONFLICT DO NOTHING; rows with expires < now are deleted from time to time.
        let isNew = try await database.insertIfAbsent(nonce.digest.bytes, until: nonce.expires)
        return isNew ? .new : .used
    }
}
