internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignTransport
internal import CountersignWire

/// The options of `signin` that take an account of this system.
struct AccountOptions: ParsableArguments {
    @Option(
        name: .customLong("account"),
        help: """
            Sign in with an account of this system: twitter, facebook, or a provider of your own; see 'countersign \
            account'.
            """
    )
    var provider: String?

    @Option(
        name: .customLong("account-base"),
        help: ArgumentHelp(
            "The base URL of that provider, in place of its own; a provider of your own needs it.", valueName: "url")
    )
    var base: String?

    @Option(
        name: .customLong("exchange-as"),
        help: ArgumentHelp(
            """
            With --issuer, go on to a sign-in there: exchange what the provider gave as this client of that server.
            """,
            valueName: "client"
        )
    )
    var exchangingClient: String?

    @Option(
        name: .customLong("exchange-provider"),
        help: ArgumentHelp(
            "The provider, by its name at that server, where several have such tokens.", valueName: "name")
    )
    var exchangedProvider: String?

    @OptionGroup var storage: AccountStoreOptions

    /// Whether any of them is given.
    var isChosen: Bool {
        provider != nil || base != nil || storage.directory != nil || exchangingClient != nil
            || exchangedProvider != nil
    }
}

/// Signs in with an account of this system, for `signin --account`.
struct AccountSigningIn {
    let options: AccountOptions
    /// The app's identifier at the provider.
    let app: String?
    /// The app's secret, for a provider of OAuth 1.
    let secret: ClientSecret?
    let showsTokens: Bool

    /// Asks the person which account, signs in, prints who it is, and returns what the provider gave.
    func run() async throws -> ProviderToken {
        let id = AccountProviderID(options.provider ?? "")
        let kind = try await options.storage.accounts().kind(of: id)
        if kind != nil, ![.twitter, .facebook].contains(id), options.base == nil {
            throw Failure("A provider of your own needs --account-base.", status: .usage)
        }
        do throws(AccountProblem) {
            var token: ProviderToken
            switch kind {
            case .oauth1?: token = try await reverseAuth(at: id)
            case .bearer?: token = try await socialGraph(at: id)
            case nil: throw AccountProblem.unsupported(id.rawValue)
            }
            token.subjectIssuer = options.exchangedProvider
            return token
        } catch {
            throw Failure(error)
        }
    }

    private func reverseAuth(at id: AccountProviderID) async throws(AccountProblem) -> ProviderToken {
        var provider = ReverseAuthProvider.twitter
        provider.id = id
        if let base = options.base {
            provider.requestToken = "\(base)/oauth/request_token"
            provider.accessToken = "\(base)/oauth/access_token"
            provider.profile = "\(base)/1.1/account/verify_credentials.json"
        }
        let client = app.flatMap { app in
            secret.map { ClientCredentials(client: ClientID(app), secret: OAuth1Secret(revealing: $0.revealed)) }
        }
        let attempt = ReverseAuth(
            at: provider, as: client, named: "countersign", with: options.storage.systemAccounts())
        let credentials = try await attempt.perform { accounts in await Self.choose(among: accounts) }
        say(credentials.name, credentials.id, credentials.email, screenName: credentials.screenName)
        if showsTokens {
            Terminal.say("Key: \(credentials.token.token)\nSecret: \(credentials.token.secret.revealed)")
        }
        return ProviderToken(credentials)
    }

    private func socialGraph(at id: AccountProviderID) async throws(AccountProblem) -> ProviderToken {
        var provider = SocialGraphProvider.facebook
        provider.id = id
        if let base = options.base { provider.base = base }
        let attempt = SocialGraphSignIn(
            at: provider, as: app.map { ClientID($0) }, named: "countersign", with: options.storage.systemAccounts())
        let credentials = try await attempt.perform { account in
            await TypedLines.standard.agrees(to: "Continue as \(account.name.shown)? [yes/no] ")
        }
        say(credentials.name, credentials.id, credentials.email)
        if showsTokens { Terminal.say("Token: \(credentials.token.revealed)") }
        return ProviderToken(credentials)
    }

    private func say(_ name: String, _ id: String, _ email: String?, screenName: String? = nil) {
        let known = [screenName.map { "@\($0)" }, email, "id \(id)"].compactMap { $0?.shown }.joined(separator: ", ")
        Terminal.say("Signed in as \(name.shown) (\(known)).")
    }

    /// Shows the accounts with numbers, and reads one.
    private static func choose(among accounts: [SystemAccount]) async -> SystemAccount.ID? {
        for (place, account) in accounts.enumerated() { Terminal.say("\(place + 1)  \(account.name.shown)") }
        let line = await TypedLines.standard.answer(to: "Which account? (a number, or nothing for none) ")
        guard let number = line.flatMap({ Int($0) }), number > 0, number <= accounts.count else {
            return nil
        }
        return accounts[number - 1].id
    }
}
