internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire
internal import Foundation

extension TokenCommand {
    /// `countersign token renew`
    struct Renew: TokenAction {
        static let configuration = CommandConfiguration(abstract: "Get a new token in place of one that is kept.")

        @OptionGroup var options: TokenOptions
        @OptionGroup var selection: TokenSelection
        @OptionGroup var server: ServerAccess

        func output() async throws -> CommandOutput {
            let store = try options.storage.store()
            let selected = try await selection.token(in: store)
            let key = selected.key
            if key.isSignIn {
                _ = try await server.refresher(of: selected, in: store).refresh()
            } else {
                let provider = server.provider(at: try server.issuer(key.names[0]), in: store)
                let domain = Domain(key.names[1])
                let type = try await provider.token(for: domain)?.type ?? .client
                _ = try await provider.requestToken(for: domain, ofType: type)
            }
            let token = try await TokenOutput(selected, in: store, showingTokens: false)
            return CommandOutput(encoding: token, "Renewed.\n\(token.text)")
        }
    }

    /// `countersign token discard`
    struct Discard: TokenAction {
        static let configuration = CommandConfiguration(
            abstract: "Forget a token, and tell the server to end it where that can be told.",
            discussion: "With a sign-in its person is forgotten, too; 'countersign signout' leaves them remembered.")

        @OptionGroup var options: TokenOptions
        @OptionGroup var selection: TokenSelection
        @OptionGroup var server: ServerAccess

        @Flag(help: "With --cpa: forget as what this device is registered there, and every token of that provider.")
        var registration = false

        func output() async throws -> CommandOutput {
            let store = try options.storage.store()
            guard !registration else { return try await forgetRegistration(in: store) }
            let selected = try await selection.token(in: store)
            let key = selected.key
            let (revoked, end): (Bool, String)
            if key.isSignIn {
                let result = try await server.signOut(selected, in: store, forgetting: true)
                revoked = result.isRevoked
                end = revoked ? "The server ended it, too." : result.remainder(at: key.names[0])
            } else {
                try await store.exclusively(for: key) { try await store.remove(key) }
                (revoked, end) = (false, "The server did not end it: there it works until its time is over.")
            }
            return Self.output(discarding: key, isRevoked: revoked, "Discarded \(key). \(end)")
        }

        private func forgetRegistration(in store: some TokenStore) async throws -> CommandOutput {
            guard let cpa = selection.cpa, selection.domain == nil, !selection.signIn.isGiven else {
                throw CommandError.usage("--registration goes with --cpa, and with no other name.")
            }
            let address = try server.issuer(cpa)
            let key = TokenStoreKey.crossPlatformIdentity(at: address)
            guard try await store.keys().contains(key) else {
                throw CommandError("This device is not registered there.")
            }
            try await server.provider(at: address, in: store).discardIdentity()
            let words = "Discarded \(key), and every token of that provider. People remove the device on its page."
            return Self.output(discarding: key, isRevoked: false, words)
        }

        private static func output(discarding key: TokenStoreKey, isRevoked: Bool, _ words: String) -> CommandOutput {
            CommandOutput(["discarded": [key.kind.rawValue] + key.names, "revoked": isRevoked], words)
        }
    }
}

/// The options for requests to the server about a stored sign-in.
struct ServerAccess: ParsableArguments {
    @Option(help: "A file that holds the client's secret, if it has one.")
    var secretFile: String?

    @Flag(help: "Talk to another machine without encryption.")
    var allowInsecureHTTP = false

    @Option(
        help: ArgumentHelp(
            """
            Trust the certificates in this PEM file, such as a private CA's, in place of the system's; not on Apple's \
            systems, where the keychain names them. (default: $SSL_CERT_FILE)
            """,
            valueName: "file"
        )
    )
    var caFile: String?

    /// The certificates that this program was told to trust when it was started.
    private static let inheritedCAFile = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]

    /// Puts the variable of `--ca-file` back, for a program that takes the place of this one.
    func restoreEnvironment() {
        guard caFile != nil else { return }
        if let inherited = Self.inheritedCAFile {
            setenv("SSL_CERT_FILE", inherited, 1)
        } else {
            unsetenv("SSL_CERT_FILE")
        }
    }

    func validate() throws {
        guard let caFile else { return }
        // Read before it is replaced.
        _ = Self.inheritedCAFile
        try TrustedCertificates.use(caFile, by: "--ca-file")
    }

    /// The refresher of the sign-in under `key`.
    func refresher(of key: TokenStoreKey, in store: some TokenStore) throws -> TokenRefresher {
        var options = options()
        // A person waits: two attempts show whether the server is reachable.
        options.attempts = 2
        // It finds the tokens by the purpose alone.
        if key.kind == .service { options.service = GuestService(purpose: key.names[2], ends: .distantFuture) }
        return TokenRefresher(
            at: try issuer(key.names[0]),
            as: ClientID(key.names[1]),
            secret: try secret(),
            keepingTokensIn: store,
            options: options
        )
    }

    /// The refresher of a selected sign-in.
    func refresher(of selected: SelectedToken, in store: some TokenStore) throws -> TokenRefresher {
        guard let person = selected.person else { return try refresher(of: selected.key, in: store) }
        return try household(of: selected.key, in: store).tokens(of: person)
    }

    /// Ends a selected sign-in, and the session of a browser if one is named.
    func signOut(
        _ selected: SelectedToken,
        in store: some TokenStore,
        endingSessionIn browser: (any SignInBrowser)? = nil,
        forgetting forgets: Bool
    ) async throws -> SignOutResult {
        guard let person = selected.person else {
            return try await refresher(of: selected.key, in: store)
                .signOut(endingSessionIn: browser, forgetting: forgets)
        }
        return try await household(of: selected.key, in: store)
            .signOut(person, endingSessionIn: browser, forgetting: forgets)
    }

    private func household(of key: TokenStoreKey, in store: some TokenStore) throws -> Household {
        var options = options()
        options.attempts = 2
        return Household(
            at: try issuer(key.names[0]),
            as: ClientIdentity(ClientID(key.names[1]), secret: try secret()),
            keepingTokensIn: store,
            on: SignInScreen(),
            options: options
        )
    }

    /// The typed or stored issuer.
    func issuer(_ text: String) throws -> Issuer {
        do {
            return try Issuer(text, allowingInsecureHTTP: allowInsecureHTTP)
        } catch .insecure {
            throw CommandError.usage("\(text) is not encrypted. Use its https:// address.")
        } catch {
            throw CommandError.usage("\(text) is not the base URL of a server.")
        }
    }

    /// The client's secret, if a file is named.
    func secret() throws -> ClientSecret? {
        try secretFile.map { ClientSecret(revealing: try SuppliedText.secret(in: $0)) }
    }
}
