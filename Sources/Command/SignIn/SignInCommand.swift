internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

/// `countersign signin`: this terminal is the screen that asks.
struct SignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signin",
        abstract: "Sign this terminal in: by your phone, your browser, or a code that you approve elsewhere.",
        discussion: """
            Takes every way that this terminal, the server and the scope allow, and ends with the first answer: a phone on \
            the local network ('countersign approve'), where the two show and type six digits unless they \
            are paired; the browser of this machine, at a desktop that is not used over ssh; the devices of the \
            person who is remembered here, unless there are several; and a code, with a link and a QR code, three seconds after the others, or at \
            once when it is alone. --only names the ways to take; one that this terminal does not have is refused.

            The browser comes back to a free port of this machine, at http://127.0.0.1:<port>/callback: that has to be \
            registered with the server, which leaves the port open. $BROWSER may name the browser.

            The tokens go to a sealed file that only you can read; 'countersign token' shows what is kept.

            With the scope openid you are asked whether it is you who was signed in; without a terminal the answer is \
            read as a line of standard input, "yes" or "no". --yes answers beforehand.

            Several people may share this terminal: each sign-in adds a person, and 'countersign token list' shows all. With \
            --as a person of them is current again, at once; one who is remembered and signed out is asked on their \
            devices. 'countersign signout' signs a person out.

            With --code you type a code that your phone shows ('Connect a screen' on your account page, or 'countersign \
            authenticator connect'), and answer on the phone.

            --ticket and --token present what you hold already, before anybody is asked: a ticket of your account page, for \
            a client with the grant pre-authorized_code, or a token of another provider, for one with token exchange. They \
            are read from a file or a line of standard input. Where the server does not accept it, the other ways follow.

            With --cpa and --domain it is a token for one service that is asked for, at an authorization provider of \
            ETSI TS 103 407.

            With --backchannel and --person it is that person who approves, on a phone of theirs.

            With --account it is an account of this system that signs in at its provider; 'countersign account add' adds \
            one. With --issuer and --exchange-as that is exchanged for a sign-in at a server, too.

            With --as-service a program signs in that acts for the person who approves, until an end that they see and may \
            shorten. 'countersign token --service' has its tokens, and the account page ends it.

            With --json each line is an object with the member "event": discovering, presenting, not_accepted, began, \
            browser, nearby, ended, invitation, invitation_hidden, code_accepted, waiting, verification_number, link, temporary_failure, permission, choosing, \
            confirming, signed_in or failed. began and ended have the member "way": nearby, browser or push; invitation_hidden means that code and link are not \
            needed until another invitation; after ended the other ways go on, and \
            "message" says what to do. \
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

    @OptionGroup var ways: WayOptions

    @OptionGroup(title: "Proofs")
    var proofs: ProofOptions

    @Flag(help: "Bind the tokens to a key that stays here; 'token header' makes the proofs that requests then need.")
    var dpop = false

    @Option(help: "The code that your phone shows, eight digits; '-' reads it from standard input.")
    var code: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The person to sign in, by a name that 'token list' shows.", valueName: "name")
    )
    var chosenName: String?

    @OptionGroup(title: "Services")
    var service: ServiceOptions

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
            try refuseCodeElsewhere()
            try refuseProofsElsewhere()
            try refuseNameElsewhere()
            try refuseServiceElsewhere()
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

    /// Refuses a code of the person together with the ways in that take none.
    private func refuseCodeElsewhere() throws {
        guard code != nil else { return }
        guard !account.isChosen, !crossPlatform.isWanted, !backchannel.isChosen, !ways.isChosen, renew == 0 else {
            throw CommandError.usage(
                "--account, --cpa, --backchannel, \(WayOptions.names) and --renew do not go with --code.")
        }
    }

    /// Refuses proofs together with the ways in that take none, and with a person whose tokens may be here.
    private func refuseProofsElsewhere() throws {
        guard proofs.isChosen else { return }
        guard !account.isChosen, !crossPlatform.isWanted, !backchannel.isChosen, code == nil, chosenName == nil else {
            throw CommandError.usage(
                "--account, --cpa, --backchannel, --code and --as do not go with \(ProofOptions.names).")
        }
    }

    /// The code that the person typed; `nil` for none.
    private func personCode() throws -> PersonCode? {
        guard let code else { return nil }
        var text = code
        if code == "-" {
            if Terminal.givesInput { Terminal.prompt("The code that your phone shows: ") }
            text = try StandardInput.shared.line() ?? ""
        }
        return try PersonCode(parsing: text).or(usage: "The code that your phone shows has eight digits.")
    }

    /// Refuses the options of the back channel together with `option`, because they would have no effect.
    private func refuseBackchannel(with option: String) throws {
        guard backchannel.isChosen else { return }
        throw CommandError.usage("--backchannel and its options do not go with \(option).")
    }

    /// Signs in with an account that this system holds, and then at a server if one is named.
    private func signInWithAccount() async throws {
        guard !ways.isChosen, !crossPlatform.isWanted, account.provider != nil else {
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
        guard !ways.isChosen, !dpop else {
            throw CommandError.usage("\(WayOptions.names) and --dpop do not go with --backchannel.")
        }
        let scope = try Scope.typed(scope ?? "openid profile")
        let signIn = BackchannelSignIn(
            at: try server.issuer(issuer),
            as: ClientID(client),
            secret: secret,
            for: scope,
            keepingTokensIn: try tokens.store(),
            options: server.options(try serviceOptions())
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
        let asked = try Scope.typed(scope ?? "openid profile")
        let personCode = try personCode()
        let confirmation = Confirmation(isGiven: yes, quiet: json)
        let (directory, store) = (tokens.directory, try tokens.store())
        let (address, app) = (try server.issuer(issuer), ClientID(client))
        let (person, remembered) = try await person(in: store, for: .signIn(at: address, as: app))
        if asked.contains(.openid), person?.signedIn == nil { try confirmation.requireAnswerable() }
        var screen = SignInScreen(name: device)
        if personCode == nil { screen = try ways.screen(named: device, remembering: remembered) }
        screen.proofs = try proofs.proofs(at: address, over: server)
        var options = server.options(try serviceOptions(), binding: binding)
        options.personCode = personCode
        options.ways = try ways.chosen()
        let identity = ClientIdentity(app, secret: try server.secret())
        let signIn: SignIn
        if options.service == nil {
            let household = Household(
                at: address, as: identity, keepingTokensIn: store, on: screen, options: options)
            signIn = household.signIn(as: person, for: asked)
        } else {
            screen.store = store
            signIn = SignIn(at: address, as: identity, for: asked, on: screen, options: options)
        }
        var signingIn = SigningIn(
            signIn: signIn,
            display: display(nearby: screen.nearby != nil && options.ways?.contains(.nearby) != false),
            confirmation: confirmation)
        signingIn.comparesScope = scope != nil
        if let ways = options.ways, ways.count == 1 { signingIn.onlyWay = ways.first }
        try await untilInterrupted { [signingIn] in try await signingIn.run(savingIn: directory) }
    }

    /// Gets a token for a service.
    private func getToken() async throws {
        guard crossPlatform.cpa != nil else {
            throw CommandError.usage("--domain, --client-token and --open go with --cpa, which is missing.")
        }
        guard crossPlatform.open || ways.callbackPort == 0 else {
            throw CommandError.usage("With --cpa, --callback-port goes with --open.")
        }
        try refuseBackchannel(with: "--cpa")
        guard issuer == nil, client == nil, scope == nil, server.secretFile == nil, ways.only == nil,
            !ways.network.isChosen, !yes, !dpop
        else {
            throw CommandError.usage(
                """
                --issuer, --client, --scope, --secret-file, --yes, --dpop, --only, --interface, --app and --pair do not \
                go with --cpa.
                """)
        }
        let (address, domain) = try crossPlatform.asked(over: server)
        let signingIn = CrossPlatformSigningIn(
            provider: server.provider(at: address, in: try tokens.store(), on: device, options: options),
            domain: domain,
            type: crossPlatform.clientToken ? .client : .user,
            display: display(),
            browser: crossPlatform.open
                ? LoopbackBrowser(opening: DesktopOpener(), port: ways.callbackPort, path: "/verification") : nil
        )
        let directory = tokens.directory
        try await untilInterrupted { try await signingIn.run(savingIn: directory) }
    }

    var options: SignInOptions {
        var options = SignInOptions()
        options.renewals = max(0, renew)
        return options
    }

    private var binding: TokenBinding { dpop ? .required : .never }
    private var device: String { deviceName ?? ProcessInfo.processInfo.hostName }

    private func display(nearby looksNearby: Bool = false) -> any SignInDisplay {
        if json { return JSONDisplay(showsTokens: showTokens) }
        return Terminal.signInDisplay(showsTokens: showTokens, looksNearby: looksNearby)
    }
}
