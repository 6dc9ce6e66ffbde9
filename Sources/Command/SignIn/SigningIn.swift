internal import CountersignRequester

/// One sign-in of this terminal, from the first event to the last line.
struct SigningIn: Sendable {
    let signIn: SignIn
    let display: any SignInDisplay
    let confirmation: Confirmation
    var search: NearbySearch?

    /// Signs in and prints the result.
    ///
    /// - Throws: a ``CommandError`` with the exit status of what went wrong.
    func run(savingIn directory: String) async throws {
        let events = signIn.events
        let searching = search.map { search in
            let events = signIn.events
            return Task { await search.run(along: events) }
        }
        let showing = Task {
            for await event in events { await display.show(event) }
        }
        try await display.finishing(savedIn: directory) { () async throws(SignInError) in
            let outcome: Result<CompletedSignIn, SignInError>
            do throws(SignInError) {
                outcome = .success(
                    try await signIn.run { identity in
                        await display.pause()
                        return await confirmation.ask(identity)
                    })
            } catch {
                outcome = .failure(error)
            }
            await showing.value
            await searching?.value
            return try outcome.get()
        }
    }
}

extension SignInError {
    /// The status that the command ends with.
    var exitStatus: ExitStatus {
        switch code {
        case .denied: .denied
        case .expired: .expired
        case .notReachable, .serverFailure, .noServerFound, .notTrusted, .tooFast: .notReached
        case .notMe: .notMe
        case .clientRefused, .scopeRefused, .refused, .flowNotOffered, .bindingNotOffered, .grantTypeRefused,
            .subjectTokenRefused, .strongerSignInNeeded, .signedOut, .accountLocked:
            .refused
        case .cancelled: .interrupted
        case .domainRefused: .usage
        default: .failed
        }
    }
}
