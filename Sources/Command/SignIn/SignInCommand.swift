internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation
internal import NIOConcurrencyHelpers

/// `countersign signin`: this terminal is the screen that asks.
struct SignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signin",
        abstract: "Sign this terminal in with a code that you approve elsewhere.",
        discussion: """
            Shows a code, a link and a QR code, and waits until somebody approves. The tokens go to a sealed file that \
            only you can read; 'countersign token' shows what is kept.

            With the scope openid you are asked whether it is you who was signed in; without a terminal the answer is \
            read as a line of standard input, "yes" or "no". --yes answers beforehand.

            With --nearby a phone on the local network may approve, too ('countersign approve --nearby'): the two show \
            and type six digits, unless they remember each other.

            With --cpa and --domain it is a token for one service that is asked for, at an authorization provider of \
            ETSI TS 103 407.

            With --backchannel and --person it is that person who approves, on a phone of theirs.

            With --browser you approve in the browser of this machine, and no code is needed.

            With --account it is an account of this system that signs in at its provider; 'countersign account add' adds \
            one. With --issuer and --exchange-as that is exchanged for a sign-in at a server, too.

            With --json each line is an object with the member "event": discovering, invitation, waiting, browser, \
            nearby, verification_number, link, temporary_failure, permission, choosing, confirming, signed_in or failed. \
            Answers are read as lines of standard input: "yes" or "no" after permission and confirming, the number of an \
            account after choosing.
            """
    )

    @Option(help: "The base URL of the server.")
    var issuer: String?

    @Option(help: "The name by which the server knows this client.")
    var client: String?

    @Option(help: "What to ask for, words with spaces between. (default: openid profile)")
    var scope: String?

    @OptionGroup var browsing: BrowserOptions

    @Flag(help: "Bind the tokens to a key that stays here; 'token header' makes the proofs that requests then need.")
    var dpop = false

    @Flag(help: "Look for phones on the local network that may approve, beside the code.")
    var nearby = false

    @OptionGroup(title: "Nearby")
    var network: NearbyOptions

    @OptionGroup var crossPlatform: CrossPlatformOptions
    @OptionGroup var backchannel: BackchannelOptions

    @OptionGroup(title: "Accounts of this system")
    var account: AccountOptions

    @Option(help: "What this screen calls itself. (default: the name of this machine)")
    var deviceName: String?

    @Option(help: "How often a code that expired is replaced by a new one.")
    var renew = 0

    @OptionGroup var tokens: TokenStoreOptions
    @OptionGroup var server: ServerAccess

    @Flag(help: "Print the tokens, too: whoever reads them can act as you.")
    var showTokens = false

    @Flag(help: "Accept whoever is signed in.")
    var yes = false

    @Flag(help: "Print JSON lines.")
    var json = false

    func run() async throws {
        try await ending {
            if account.isChosen {
                try await signInWithAccount()
            } else if crossPlatform.isWanted {
                try await getToken()
            } else if backchannel.isChosen {
                try await askPerson()
            } else {
                try await signIn()
            }
        }
    }

    /// Refuses the options of the back channel together with `option`, because they would have no effect.
    private func refuseBackchannel(with option: String) throws {
        guard backchannel.isChosen else { return }
        throw CommandError.usage("--backchannel and its options do not go with \(option).")
    }

    /// Signs in with an account that this system holds, and then at a server if one is named.
    private func signInWithAccount() async throws {
        guard !nearby, !network.isChosen, !browsing.browser, !crossPlatform.isWanted, account.provider != nil else {
            throw CommandError.usage(
                "--account takes --client, --secret-file, --account-base, --accounts, --permissions, and those of an exchange only."
            )
        }
        try refuseBackchannel(with: "--account")
        let exchanging = try exchangingAccount()
        let secret = try server.secret()
        let signingIn = AccountSigningIn(
            options: account, app: client, secret: secret, dialog: AccountDialog(isJSON: json, showsTokens: showTokens))
        let directory = tokens.directory
        try await untilInterrupted {
            let token = try await signingIn.run()
            try await exchanging?.run(token, savingIn: directory)
        }
    }

    /// The exchange after a sign-in with an account; `nil` when none is wanted.
    private func exchangingAccount() throws -> ExchangingToken? {
        guard let issuer, let client = account.exchangingClient else {
            guard issuer == nil, account.exchangingClient == nil, account.exchangedProvider == nil, scope == nil, !dpop
            else {
                throw CommandError.usage(
                    "With --account, --issuer and --exchange-as belong together; --scope and --dpop go with them.")
            }
            return nil
        }
        var access = server
        // That file has the app's secret at the provider.
        access.secretFile = nil
        let signIn = try ExchangingClient.signIn(
            at: issuer, as: client, over: access, for: scope, binding: binding, keepingTokensIn: try tokens.store())
        return ExchangingToken(signIn: signIn, display: display())
    }

    /// Lets a person approve whom this terminal names.
    private func askPerson() async throws {
        _ = try backchannel.asks()
        guard let issuer, let client, let secret = try server.secret() else {
            throw CommandError.usage("--backchannel takes --issuer, --client and --secret-file.")
        }
        guard !nearby, !network.isChosen, !browsing.browser, !dpop else {
            throw CommandError.usage("--nearby, --browser and --dpop do not go with --backchannel.")
        }
        guard let scope = Scope(parsing: scope ?? "openid profile") else {
            throw CommandError.usage("The scope has a character that no scope may have.")
        }
        let signIn = BackchannelSignIn(
            at: try server.issuer(issuer),
            as: ClientID(client),
            secret: secret,
            for: scope,
            keepingTokensIn: try tokens.store(),
            options: server.options(options)
        )
        let signingIn = BackchannelSigningIn(
            signIn: signIn, asked: try backchannel.asked(for: scope), display: display(), isQuiet: json)
        let directory = tokens.directory
        try await untilInterrupted { try await signingIn.run(savingIn: directory) }
    }

    /// Signs in at a server.
    private func signIn() async throws {
        guard let issuer, let client else {
            throw CommandError.usage("Say where to sign in: --issuer and --client, or --cpa and --domain.")
        }
        guard let scope = Scope(parsing: scope ?? "openid profile") else {
            throw CommandError.usage("The scope has a character that no scope may have.")
        }
        guard nearby || !network.isChosen else {
            throw CommandError.usage("--interface, --app and --remember go with --nearby.")
        }
        let browser = try browsing.options(allowingInsecureHTTP: server.allowInsecureHTTP, binding: binding)
        if let browser {
            guard !nearby else { throw CommandError.usage("--nearby does not go with --browser.") }
            let signingIn = BrowserSigningIn(
                issuer: try server.issuer(issuer),
                client: ClientID(client),
                secret: try server.secret(),
                scope: scope,
                store: try tokens.store(),
                options: browser,
                display: display(),
                port: Int(browsing.callbackPort)
            )
            guard case .code(let reason)? = try await next(after: signingIn) else { return }
            Terminal.complain(reason)
        }
        let confirmation = Confirmation(isGiven: yes, quiet: json)
        if scope.contains(.openid) { try confirmation.requireAnswerable() }
        let directory = tokens.directory
        let link = nearby ? NearbySignIn() : nil
        let signIn = SignIn(
            at: try server.issuer(issuer),
            as: ClientID(client),
            secret: try server.secret(),
            for: scope,
            deviceName: device,
            keepingTokensIn: try tokens.store(),
            options: server.options(options, binding: binding),
            nearby: link
        )
        let display = display()
        let search = try link.map { link in
            NearbySearch(
                settings: try network.settings(calling: device),
                discovery: try network.interfaces.discovery(),
                remembers: network.remember,
                nearby: link,
                display: display
            )
        }
        let signingIn = SigningIn(signIn: signIn, display: display, confirmation: confirmation, search: search)
        try await untilInterrupted { try await signingIn.run(savingIn: directory) }
    }

    /// Signs in by the browser, and returns what the person asked to be tried after that.
    private func next(after signingIn: BrowserSigningIn) async throws -> FallBack? {
        let directory = tokens.directory
        let reached = NIOLockedValueBox<BrowserSigningIn.Ending?>(nil)
        try await untilInterrupted {
            let ending = try await signingIn.run(savingIn: directory)
            reached.withLockedValue { $0 = ending }
        }
        guard let ending = reached.withLockedValue(\.self) else { return nil }
        return try FallBack(after: ending, within: signingIn.options.lifetime)
    }

    /// Gets a token for a service.
    private func getToken() async throws {
        guard crossPlatform.cpa != nil else {
            throw CommandError.usage("--domain, --client-token and --open go with --cpa, which is missing.")
        }
        guard !browsing.browser else { throw CommandError.usage("With --cpa, --open opens the browser.") }
        guard crossPlatform.open || browsing.callbackPort == 0 else {
            throw CommandError.usage("--callback-port goes with --browser, or with --cpa and --open.")
        }
        try refuseBackchannel(with: "--cpa")
        guard issuer == nil, client == nil, scope == nil, server.secretFile == nil, !nearby, !network.isChosen, !yes,
            !dpop
        else {
            throw CommandError.usage(
                "--issuer, --client, --scope, --secret-file, --yes, --dpop, --nearby and its options do not go with --cpa."
            )
        }
        let (address, domain) = try crossPlatform.asked(over: server)
        let signingIn = CrossPlatformSigningIn(
            provider: server.provider(at: address, in: try tokens.store(), on: device, options: options),
            domain: domain,
            type: crossPlatform.clientToken ? .client : .user,
            display: display(),
            browser: crossPlatform.open ? Browser(port: Int(browsing.callbackPort)) : nil
        )
        let directory = tokens.directory
        try await untilInterrupted { try await signingIn.run(savingIn: directory) }
    }

    private var options: SignInOptions {
        var options = SignInOptions()
        options.renewals = max(0, renew)
        options.showsNumber = true
        options.renewsLink = true
        return options
    }

    private var binding: TokenBinding { dpop ? .required : .never }
    private var device: String { deviceName ?? ProcessInfo.processInfo.hostName }

    private func display() -> any SignInDisplay {
        if json { return JSONDisplay(showsTokens: showTokens) }
        if Terminal.redraws { return LiveDisplay(showsTokens: showTokens, looksNearby: nearby) }
        return PlainDisplay(showsTokens: showTokens)
    }
}
