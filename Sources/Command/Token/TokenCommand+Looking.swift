internal import ArgumentParser
internal import Countersign
internal import CountersignRequester

extension TokenCommand {
    /// `countersign token list`
    struct List: TokenAction {
        static let configuration = CommandConfiguration(
            abstract: "List what is kept, and the people who share it; no token is printed.")

        @OptionGroup var options: TokenOptions

        func output() async throws -> CommandOutput {
            let store = try options.storage.store()
            var tokens: [TokenOutput] = []
            // A sign-in that waits for its answer holds no token, and 'credential list' shows the hosts.
            let others: [TokenStoreKey.Kind] = [.pendingSignIn, .credentialHost, .credentialQuestion]
            for key in try await store.keys() where !others.contains(key.kind) {
                for token in try await Self.tokens(under: key, in: store) {
                    tokens.append(try await TokenOutput(token, in: store, showingTokens: false))
                }
            }
            return CommandOutput(tokens, as: \.self, in: TokenOutput.columns, none: "No tokens are stored here.")
        }

        /// The tokens under a key: those of each person of a sign-in, and of somebody whose identity was not asked for.
        private static func tokens(
            under key: TokenStoreKey,
            in store: some TokenStore
        ) async throws -> [SelectedToken] {
            guard key.kind == .signIn else { return [SelectedToken(key: key)] }
            let current = try await store.signedIn(for: key)
            let unnamed = current != nil && current?.identity == nil ? [SelectedToken(key: key)] : []
            let people = try await store.people(for: key, at: TimeSource.system.now())
            return unnamed + people.map { SelectedToken(key: key, person: $0) }
        }
    }

    /// `countersign token show`
    struct Show: TokenAction {
        static let configuration = CommandConfiguration(
            abstract: "Show one token: whose it is, what for, and until when it works.")

        @OptionGroup var options: TokenOptions
        @OptionGroup var selection: TokenSelection

        @Flag(help: "Print the tokens, too: whoever reads them can act as you.")
        var showTokens = false

        func output() async throws -> CommandOutput {
            let store = try options.storage.store()
            let selected = try await selection.token(in: store)
            let token = try await TokenOutput(selected, in: store, showingTokens: showTokens)
            return CommandOutput(encoding: token, token.text)
        }
    }
}
