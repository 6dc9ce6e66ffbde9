internal import Countersign
internal import CountersignRequester

/// One sign-in of this terminal, from the first event to the last line.
struct SigningIn: Sendable {
    let signIn: SignIn
    let display: any SignInDisplay
    let confirmation: Confirmation
    /// The way that was chosen alone, if one was: its end is that of the sign-in, and is not shown twice.
    var onlyWay: SignInWay?
    /// Whether the scope was asked for, so that a part of it that was not granted is told.
    var comparesScope = true

    /// Signs in and prints the result.
    ///
    /// - Throws: a ``CommandError`` with the exit status of what went wrong.
    func run(savingIn directory: String) async throws {
        try await display.finishing(savedIn: directory) { () async throws(SignInError) in
            let questions = NearbyQuestions(showingOn: display)
            let result = await result(asking: questions)
            await questions.stop()
            if case .failure(let error) = result { await display.show(.failed(error)) }
            return TerminalSignIn(signedIn: try result.get(), comparesScope: comparesScope)
        }
    }

    private func result(asking questions: NearbyQuestions) async -> Result<CompletedSignIn, SignInError> {
        var answering: Task<Void, Never>?
        defer { answering?.cancel() }
        do {
            for try await event in signIn {
                switch event {
                case .nearby(let event, let phones): await questions.take(event, of: phones)
                // The news of phones say the same.
                case .ended(.nearby, _): break
                case .ended(let way, _) where way == onlyWay: break
                case .confirming(let question):
                    await questions.stop()
                    await display.show(event)
                    await display.pause()
                    // The loop goes on, so that an interruption ends the question, too.
                    answering = Task { question.answer(await confirmation.ask(question.identity)) }
                case .signedIn(let signedIn):
                    await display.show(event)
                    return .success(signedIn)
                default: await display.show(event)
                }
            }
            return .failure(SignInError(.cancelled, because: "the sign-in ended without a result"))
        } catch {
            return .failure(error as? SignInError ?? SignInError(.badAnswer, because: String(describing: error)))
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
        case .notMe, .anotherPerson: .notMe
        case .clientRefused, .scopeRefused, .refused, .codeRefused, .flowNotOffered, .bindingNotOffered,
            .grantTypeRefused, .subjectTokenRefused, .strongerSignInNeeded, .strongerWayNeeded, .wayNotAllowed,
            .notAsked, .notRemembered, .signedOut, .accountLocked:
            .refused
        case .cancelled: .interrupted
        case .domainRefused, .wayUnusable: .usage
        default: .failed
        }
    }
}
