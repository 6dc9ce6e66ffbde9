internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignTransport
internal import CountersignWire
internal import Foundation

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

    @Option(
        help: ArgumentHelp(
            "With --account facebook and its like, the rights to ask for. (default: minimal)",
            discussion: """
                minimal is public_profile; extended is user_birthday, user_location, user_friends, email and \
                public_profile; otherwise rights in the provider's words, with commas between, or nothing to leave it \
                to the provider.
                """,
            valueName: "rights"
        )
    )
    var permissions: String?

    @OptionGroup var storage: AccountStoreOptions

    /// The requested rights.
    var rights: [String] {
        switch permissions {
        case nil, "minimal"?: SocialGraphSignIn.minimalPermissions
        case "extended"?: SocialGraphSignIn.extendedPermissions
        case let words?: words.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// Whether any of them is set.
    var isChosen: Bool {
        provider != nil || base != nil || storage.directory != nil || exchangingClient != nil
            || exchangedProvider != nil || permissions != nil
    }
}

/// Signs in with an account of this system, for `signin --account`.
struct AccountSigningIn {
    let options: AccountOptions
    /// The app's identifier at the provider; `nil` for what 'account app' keeps.
    let app: String?
    /// The app's secret, for a provider of OAuth 1.
    let secret: ClientSecret?
    /// Prompts and reports, in words or in lines of JSON.
    let dialog: AccountDialog

    /// Asks the person which account, signs in, prints who it is, and returns what the provider gave.
    func run() async throws -> ProviderToken {
        let id = AccountProviderID(options.provider ?? "")
        let accounts = options.storage.accounts()
        let kind = try await accounts.kind(of: id)
        if kind != nil, ![.twitter, .facebook].contains(id), options.base == nil {
            throw CommandError.usage("A provider of your own needs --account-base.")
        }
        guard let kind else { throw await unusable(id) }
        guard kind == .bearer || options.permissions == nil else {
            throw CommandError.usage("--permissions does not go with accounts that sign by OAuth 1.")
        }
        let known = try await knownApp(at: id, keptBy: accounts)
        do throws(AccountError) {
            var token: ProviderToken
            switch kind {
            case .oauth1: token = try await reverseAuth(at: id, as: known)
            case .bearer: token = try await socialGraph(at: id, as: known)
            }
            token.subjectIssuer = options.exchangedProvider
            return token
        } catch {
            dialog.fail(error, settings: systemAccounts.settings)
            throw CommandError(error)
        }
    }

    private var systemAccounts: any SystemAccountStore { options.storage.systemAccounts(asking: dialog.ask) }

    /// The given or stored app; one without a provider registration is `unconfigured`.
    private func knownApp(at id: AccountProviderID, keptBy accounts: StoredAccounts) async throws
        -> AccountAppCredentials
    {
        var known = AccountAppCredentials(named: "countersign")
        if let app {
            let secret = secret.map { OAuth1Secret(revealing: $0.revealed) }
            known.set(SystemAccountApp(at: id, client: ClientID(app), secret: secret))
        } else if let kept = try await accounts.app(at: id) {
            known.set(kept)
        }
        return known
    }

    /// The reason that no app can sign in with accounts of a provider.
    private func unusable(_ id: AccountProviderID) async -> CommandError {
        let problem = AccountError.unsupported(id.rawValue)
        let held = (try? await options.storage.accountsOfDesktop()) ?? []
        let isHeld = held.contains { $0.account.provider == id }
        let sentence = isHeld ? id.noSignInSentence : problem.sentence
        dialog.fail(problem, saying: sentence, settings: systemAccounts.settings)
        return CommandError.usage(sentence)
    }

    private func reverseAuth(
        at id: AccountProviderID,
        as app: AccountAppCredentials
    ) async throws(AccountError) -> ProviderToken {
        var provider = ReverseAuthProvider.twitter
        provider.id = id
        if let base = options.base {
            provider.requestToken = "\(base)/oauth/request_token"
            provider.accessToken = "\(base)/oauth/access_token"
            provider.profile = "\(base)/1.1/account/verify_credentials.json"
        }
        let attempt = app.reverseAuth(at: provider, with: systemAccounts)
        let credentials = try await attempt.perform { [dialog] accounts in await dialog.choose(among: accounts) }
        dialog.finish(AccountDialog.Person(credentials), of: id)
        return ProviderToken(credentials)
    }

    private func socialGraph(
        at id: AccountProviderID,
        as app: AccountAppCredentials
    ) async throws(AccountError) -> ProviderToken {
        var provider = SocialGraphProvider.facebook
        provider.id = id
        if let base = options.base { provider.base = base }
        let attempt = app.socialGraph(at: provider, permissions: options.rights, with: systemAccounts)
        let credentials = try await attempt.perform { [dialog] account in await dialog.confirm(account) }
        dialog.finish(AccountDialog.Person(credentials), of: id)
        return ProviderToken(credentials)
    }
}
