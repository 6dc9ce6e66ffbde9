internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire

extension TokenCommand {
    /// `countersign token exchange`
    struct Exchange: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Exchange a token of another provider for a sign-in at a server (RFC 8693), and keep that.",
            discussion: """
                The token is the first line of standard input. The second line, if there is one, is the nonce that the \
                person signed in with, which the token has as its digest; 'token nonce' gets one.

                    countersign token exchange --issuer https://id.example.com --client player <id-token.txt

                With --kind oauth1 the line is a form: oauth_token=…&oauth_token_secret=…
                """
        )

        @OptionGroup var at: ExchangingClient

        @Option(help: "What the token is: id-token, access-token or oauth1.")
        var kind = ProviderTokenKind.idToken

        @Option(help: "The provider, by its name at the server, where several have such tokens.")
        var provider: String?

        @Option(help: "What to ask for, words with spaces between. (default: all that the client may have)")
        var scope: String?

        @Flag(help: "Bind the tokens to a key that stays here.")
        var dpop = false

        @OptionGroup var tokens: TokenStoreOptions

        @Flag(help: "Print the tokens, too: whoever reads them can act as you.")
        var showTokens = false

        @Flag(help: "Print JSON lines.")
        var json = false

        func run() async throws {
            try await ending {
                let signIn = try at.signIn(
                    for: scope, binding: dpop ? .required : .never, keepingTokensIn: try tokens.store())
                let token = try token()
                let display: any SignInDisplay =
                    json ? JSONDisplay(showsTokens: showTokens) : PlainDisplay(showsTokens: showTokens)
                let exchanging = ExchangingToken(signIn: signIn, display: display)
                let directory = tokens.directory
                try await untilInterrupted { try await exchanging.run(token, savingIn: directory) }
            }
        }

        /// The token on standard input.
        private func token() throws -> ProviderToken {
            guard let line = try Terminal.readSecret(asking: "Token: "), !line.isEmpty else {
                throw CommandError.usage("The token is missing: a line on standard input.")
            }
            let nonce = kind == .idToken ? try Terminal.readSecret(asking: "Nonce, if there is one: ") : nil
            return try kind.token(line, nonce: nonce, of: provider)
        }
    }

    /// `countersign token nonce`
    struct Nonce: OutputCommand {
        static let configuration = CommandConfiguration(
            abstract: "Get a nonce for the exchange of an ID token, and what the provider is given for it.",
            discussion: """
                Sign in at the provider with the challenge as nonce, and give 'token exchange' the nonce. Without --issuer \
                it is drawn here, for servers that do not demand a nonce of their own.
                """
        )

        @Option(help: "The base URL of the server.")
        var issuer: String?

        @Option(help: "The name by which the server knows the client.")
        var client: String?

        @OptionGroup var tokens: TokenStoreOptions
        @OptionGroup var server: ServerAccess

        @Flag(help: "Print JSON.")
        var json = false

        func output() async throws -> CommandOutput {
            let nonce = try await nonce()
            return CommandOutput(
                ["nonce": nonce.revealed, "challenge": nonce.challenge],
                "Nonce: \(nonce.revealed)\nChallenge: \(nonce.challenge)"
            )
        }

        private func nonce() async throws -> SubjectTokenNonce {
            switch (issuer, client) {
            case (nil, nil): return SubjectTokenNonce(drawingFrom: .system)
            case (let issuer?, let client?):
                return try await ExchangingClient.signIn(
                    at: issuer,
                    as: client,
                    over: server,
                    for: nil,
                    binding: .never,
                    keepingTokensIn: try tokens.store()
                ).nonce()
            default: throw CommandError.usage("--issuer and --client belong together.")
            }
        }
    }
}

/// The client that exchanges, and its server.
struct ExchangingClient: ParsableArguments {
    @Option(help: "The base URL of the server.")
    var issuer: String

    @Option(help: "The name by which the server knows the client.")
    var client: String

    @OptionGroup var server: ServerAccess

    /// The sign-in that these options say.
    func signIn(
        for scope: String?,
        binding: TokenBinding,
        keepingTokensIn store: SealedFileTokenStore
    ) throws -> TokenExchangeSignIn {
        try Self.signIn(at: issuer, as: client, over: server, for: scope, binding: binding, keepingTokensIn: store)
    }

    static func signIn(
        at issuer: String,
        as client: String,
        over server: ServerAccess,
        secret: ClientSecret? = nil,
        for scope: String?,
        binding: TokenBinding,
        keepingTokensIn store: SealedFileTokenStore
    ) throws -> TokenExchangeSignIn {
        let scope = try Scope.typed(scope ?? "")
        return TokenExchangeSignIn(
            at: try server.issuer(issuer),
            as: ClientID(client),
            secret: try secret ?? server.secret(),
            for: scope,
            keepingTokensIn: store,
            options: server.options(binding: binding)
        )
    }
}
