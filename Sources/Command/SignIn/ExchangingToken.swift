internal import Countersign
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
        let outcome: Result<CompletedSignIn, SignInError>
        do throws(SignInError) {
            outcome = .success(try await signIn.exchange(token))
        } catch {
            outcome = .failure(error)
        }
        await display.finish(outcome, savedIn: directory)
        if case .failure(let error) = outcome { throw CommandError(error) }
    }
}
