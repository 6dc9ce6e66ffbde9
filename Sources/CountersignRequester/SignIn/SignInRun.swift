internal import Countersign
internal import CountersignWire

/// One run of a sign-in: the proofs first, then the request at the server, then the question who it is.
struct SignInRun: Sendable {
    let scope: Scope
    let screen: SignInScreen
    let client: RequesterClient
    let issuer: Issuer
    let reporter: SignInReporter
    private let choice: Household.Choice?
    private let signIn: SignIn

    init(of signIn: SignIn, reportingTo reporter: SignInReporter) {
        var client = signIn.client
        client.announce = { reporter.report($0) }
        self.client = client
        self.signIn = signIn
        self.reporter = reporter
        (scope, screen, issuer) = (signIn.scope, signIn.screen, signIn.issuer)
        choice = signIn.choice
    }

    var options: SignInOptions { client.options }

    /// Signs in; the result is reported last.
    func result() async -> Result<CompletedSignIn, SignInError> {
        var result = await Result { () async throws(SignInError) in try await signedIn() }
        if Task.isCancelled, case .failure(let error) = result, error.code != .cancelled {
            result = .failure(SignInError(.cancelled, because: "the task was cancelled; \(error)"))
        }
        reporter.finish(result)
        return result
    }

    private func signedIn() async throws(SignInError) -> CompletedSignIn {
        var schedule = WaySchedule(
            proofs: options.service == nil ? screen.proofs.count : 0, ways: try signIn.ways(),
            codeDelay: options.codeDelay)
        if case .person(let subject)? = choice {
            // Tokens that are there do not show what a service demands now.
            if !options.demandsMore, let stored = try await stored(of: subject) { return stored.compared(to: scope) }
            guard asksIdentity else {
                throw SignInError(
                    .wayUnusable, because: "without the scope openid nothing tells who has answered",
                    saying: "Without the scope openid nothing tells who answers. Ask for it, too, or choose nobody.")
            }
            schedule.alone = .push
        }
        reporter.report(.discovering)
        try await screen.store?.requireSaving()
        var last = SignInError(.wayUnusable, because: "no way is left to take")
        var step = schedule.begin()
        while case .present(let place) = step {
            do throws(SignInError) {
                return try await signedIn(by: screen.proofs[place])
            } catch {
                guard error.leavesOtherWays else { throw error }
                last = error
                reporter.report(.notAccepted(screen.proofs[place].kind, error))
                step = schedule.refuse()
            }
        }
        guard step == .open else { throw last }
        return try await signedIn(along: schedule)
    }

    /// The stored sign-in of a chosen person, who is the current one from now on; `nil` when their tokens have ended.
    private func stored(of subject: Subject) async throws(SignInError) -> CompletedSignIn? {
        guard let store = screen.store else { return nil }
        let signedIn: CompletedSignIn
        do throws(SignInError) {
            signedIn = try await TokenRefresher(of: .person(subject), as: client, keepingTokensIn: store).signedIn()
        } catch {
            guard error.code == .signedOut else { throw error }
            return nil
        }
        guard !Task.isCancelled else { throw SignInError.taskCancelled }
        let key = client.key
        let isChosen = try await SignInError.storing {
            try await store.changeHousehold(for: key) { $0.choose(subject) }
        }
        return isChosen ? signedIn : nil
    }

    /// Forgets the remembered person, because the server does not remember them any more.
    func forgetRememberedPerson() async {
        guard let store = screen.store, let person = screen.rememberedPerson else { return }
        // A store that fails now has its error reported when the tokens are stored.
        try? await store.changeHousehold(for: client.key) { $0.forget(person) }
    }

    /// Presents a proof that needs no other person.
    private func signedIn(by proof: SignInProof) async throws(SignInError) -> CompletedSignIn {
        reporter.report(.presenting(proof.kind))
        do throws(SignInError) {
            let asked = try await proof.terms(for: scope)
            let conversation = try await client.conversationForTokens()
            let response = try await conversation.response(to: asked)
            let identifies = response.idToken != nil || asked.scope.contains(.openid)
            return try await accept(response, from: conversation, identifying: identifies)
        } catch {
            if case .ticket = proof { throw error }
            throw error.inExchange
        }
    }

    /// Asks a person, at the server's endpoint for codes or, where that is not for these ways or this client, by its
    /// authorization endpoint.
    private func signedIn(along schedule: WaySchedule) async throws(SignInError) -> CompletedSignIn {
        let (response, conversation): (TokenResponse, ServerConversation)
        do throws(SignInError) {
            (response, conversation) = try await tokens(along: schedule)
        } catch {
            guard error.offersNoDeviceCode, schedule.ways.contains(.browser), let browser = screen.browser else {
                throw error
            }
            let byCode = await Result { () async throws(SignInError) in try await signedInByCode(with: browser) }
            if case .failure(let second) = byCode, second.code == .flowNotOffered { throw error }
            return try byCode.get()
        }
        return try await accept(response, from: conversation, identifying: asksIdentity)
    }

    private func tokens(
        along schedule: WaySchedule
    ) async throws(SignInError) -> (TokenResponse, ServerConversation) {
        let server = try await client.server(for: .deviceAuthorization, needsKeys: asksIdentity)
        let conversation = client.conversation(
            with: server,
            proving: try client.newKey(at: server),
            requestID: TokenRequestID(drawingFrom: client.context.random)
        )
        return (try await WayDrive(of: self, through: conversation).tokens(along: schedule), conversation)
    }

    /// Turns tokens into a sign-in, if the person at the screen confirms; revokes them otherwise.
    ///
    /// - Parameters:
    ///   - identifies: Whether the answer has to identify the person, who is then asked.
    ///   - code: The code that was redeemed, and its request; `nil` when there was none.
    func accept(
        _ response: TokenResponse,
        from conversation: ServerConversation,
        identifying identifies: Bool,
        redeemedFrom code: RedeemableCode? = nil
    ) async throws(SignInError) -> CompletedSignIn {
        // The person may take their time to answer.
        let arrived = conversation.client.context.clock.now()
        do throws(SignInError) {
            var identity: VerifiedIdentity?
            if identifies {
                let verified = try await conversation.verifiedIdentity(
                    in: response, repeating: code?.request.nonce, for: code?.code)
                if case .person(let subject)? = choice, subject != verified.subject {
                    throw SignInError(.anotherPerson, because: "another person answered than the one who was chosen")
                }
                try await confirm(verified)
                identity = verified
            }
            let signedIn = try conversation.signedIn(by: response, for: scope, as: identity, arrived: arrived)
            // Who approved may have undone it while the person at the screen was asked.
            if identifies, await conversation.hasEnded(signedIn) {
                throw SignInError(
                    .denied, because: "the server does not accept the new tokens any more",
                    saying: "The approval was undone, so nobody is signed in. If that was a mistake, try again.")
            }
            guard !Task.isCancelled else { throw SignInError.taskCancelled }
            if let store = screen.store {
                try await conversation.keep(signedIn, in: store, adding: choice != nil)
            }
            return signedIn
        } catch {
            // Every exit without a sign-in revokes the tokens.
            let returned = await conversation.giveBack(response)
            throw returned ? error : SignInError(error.code, because: "\(error.reason); the tokens were not revoked")
        }
    }

    /// Asks the person at the screen whether it is they.
    private func confirm(_ identity: VerifiedIdentity) async throws(SignInError) {
        let (question, answers) = IdentityQuestion.about(identity)
        reporter.report(.confirming(question))
        for await answer in answers {
            guard answer == .continue else {
                throw SignInError(.notMe, because: "the person at the screen said so")
            }
            return
        }
        throw SignInError.taskCancelled
    }

    /// Whether the scope asks who the person is.
    var asksIdentity: Bool { scope.contains(.openid) }
}

extension SignInError {
    /// Whether the server gives no device codes: at all, for these ways, or to this client (RFC 6749 §5.2).
    fileprivate var offersNoDeviceCode: Bool {
        code == .flowNotOffered || providerCode == OAuthError.Code.unauthorizedClient.rawValue
    }
}
