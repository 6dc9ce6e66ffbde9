internal import ArgumentParser
internal import CountersignRequester

extension TokenCommand {
    /// `countersign token list`
    struct List: TokenAction {
        static let configuration = CommandConfiguration(abstract: "List what is kept; no token is printed.")

        @OptionGroup var options: TokenOptions

        func output() async throws -> CommandOutput {
            let store = try options.storage.store()
            var tokens: [TokenOutput] = []
            // A sign-in that waits for its answer holds no token.
            for key in try await store.keys() where key.kind != .pendingSignIn {
                tokens.append(try await TokenOutput(key, in: store, showingTokens: false))
            }
            return CommandOutput(tokens, as: \.self, in: TokenOutput.columns, none: "No tokens are stored here.")
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
            let key = try await selection.key(in: store)
            let token = try await TokenOutput(key, in: store, showingTokens: showTokens)
            return CommandOutput(encoding: token, token.text)
        }
    }
}
