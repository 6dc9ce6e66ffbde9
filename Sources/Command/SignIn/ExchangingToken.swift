internal import CountersignRequester
internal import CountersignWire

/// One exchange of a token of another provider for a sign-in, from the request to the last line.
struct ExchangingToken: Sendable {
    let signIn: TokenExchangeSignIn
    let display: any SignInDisplay

    /// Exchanges the token, keeps the sign-in and prints the result.
    ///
    /// - Throws: a ``CommandError`` with the exit status of what went wrong.
    func run(_ token: ProviderToken, savingIn directory: String) async throws {
        try await display.finishing(savedIn: directory) { () async throws(SignInError) in
            try await signIn.exchange(token)
        }
    }
}
