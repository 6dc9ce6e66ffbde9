internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire

extension AccountCommand {
    /// `countersign account add`
    struct Add: OutputCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add an account.",
            discussion: """
                The secrets are read from standard input, a line each. For twitter: the consumer key and its secret, with \
                which the system signs, then the account's token and its secret. For facebook: the account's token. \
                A provider of your own is added with its first account: --kind says how its accounts sign in.
                """
        )

        @OptionGroup var storage: AccountStoreOptions

        @Option(
            help: ArgumentHelp(
                "For a provider of your own: oauth1 as for twitter, or bearer as for facebook.", valueName: "kind"))
        var kind: String?

        @Argument(help: "Whose account it is: twitter, facebook, or a provider of your own.")
        var provider: String

        @Argument(help: "The name of the account, as apps show it.")
        var name: String

        func output() async throws -> CommandOutput {
            let accounts = storage.accounts()
            let account = SystemAccount(provider: AccountProviderID(provider), id: SystemAccount.ID(name), name: name)
            let way = try await waySigningIn(of: account.provider, in: accounts)
            let credentials: SystemAccountCredentials
            switch way {
            case .oauth1:
                let client = ClientCredentials(
                    client: ClientID(try Self.line("Consumer key: ")),
                    secret: OAuth1Secret(revealing: try Self.line("Consumer secret: "))
                )
                let token = TokenCredentials(
                    token: OAuth1Token(try Self.line("Token: ")),
                    secret: OAuth1Secret(revealing: try Self.line("Token secret: "))
                )
                credentials = .oauth1(client: client, token: token)
            case .bearer: credentials = .bearer(AccessToken(revealing: try Self.line("Token: ")))
            }
            if kind != nil { try await accounts.register(account.provider, as: way) }
            try await accounts.add(account, with: credentials)
            return CommandOutput(words: "Added \(name.shown).")
        }

        /// The protocol that accounts of the provider sign in by: the known one, or the given one for a provider of
        /// one's own.
        private func waySigningIn(
            of provider: AccountProviderID,
            in accounts: StoredAccounts
        ) async throws -> SystemAccountKind {
            let known = try await accounts.kind(of: provider)
            guard let kind else {
                if let known { return known }
                throw CommandError.unknownProvider(self.provider, known: try await accounts.providers())
            }
            let said = try SystemAccountKind(rawValue: kind).or(
                usage: "\(kind.shown) is no kind of accounts: oauth1 or bearer.")
            guard Self.isName(provider.rawValue) else {
                throw CommandError.usage(
                    "The name of a provider has lower-case letters, digits and hyphens, and begins with a letter.")
            }
            guard known == nil || known == said else {
                throw CommandError.usage("Accounts of \(self.provider.shown) are of the other kind.")
            }
            return said
        }

        private static func isName(_ text: String) -> Bool {
            text.utf8.count <= 64 && text.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil
        }

        /// A secret that is typed or piped in.
        static func line(_ question: String) throws -> String {
            guard let line = try Terminal.readSecret(asking: question), !line.isEmpty else {
                throw CommandError.usage("A secret is missing: a line on standard input for each.")
            }
            return line
        }
    }
}

extension CommandError {
    /// A provider whose accounts no system holds.
    static func unknownProvider(_ name: String, known: [AccountProviderID]) -> CommandError {
        let names = known.map { $0.rawValue.shown }.joined(separator: ", ")
        return CommandError.usage(
            "Accounts of \(name.shown) are not supported here. There are: \(names). --kind adds a provider of your own."
        )
    }
}
