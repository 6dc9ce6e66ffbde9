internal import Countersign
internal import CountersignRequester
internal import CountersignStorage
internal import CountersignTesting
internal import CountersignTransport
internal import CountersignWire
internal import HTTPTypes

extension Home {
    /// Adds a sign-in that the server has started.
    func begin(_ way: String, at screen: HomeScreen, _ requester: RunningSignIn.Requester) -> RunningSignIn {
        let signIn = RunningSignIn(
            number: signIns.count,
            thread: thread,
            way: way,
            screen: screen,
            requester: requester,
            requestID: TokenRequestID(drawingFrom: random.source)
        )
        signIns.append(signIn)
        return signIn
    }

    /// The sign-in of a request at the server; `nil` for one that no requester here waits for.
    func signIn(asking id: SignInRequest.ID) async throws -> RunningSignIn? {
        guard let code = try await store.read({ try $0.exchanges.find(id)?.requestCode }) else { return nil }
        return signIns.first { $0.requestCode == code }
    }

    /// The request of a sign-in at the server; `nil` while there is none, or when it was swept.
    func exchange(of signIn: RunningSignIn) async throws -> SignInExchange? {
        guard let code = signIn.requestCode else { return nil }
        return try await store.read { try $0.exchanges.find(code)?.exchange }
    }

    /// The number that the server lets the screen of a request show; `nil` for none.
    func number(of signIn: RunningSignIn) async throws -> VerificationNumber? {
        guard let code = signIn.requestCode else { return nil }
        return try await store.read { try $0.exchanges.find(code)?.terms.number?.shown }
    }

    /// A number that some screen of the home shows; `nil` for none.
    var anyNumber: VerificationNumber? {
        signIns.first { !$0.screen.isAttackers && $0.shownNumber != nil }?.shownNumber
    }

    /// Lets the time pass that a requester rests before its next poll, if that is short.
    func rest(_ signIn: RunningSignIn) {
        guard case .polling(var machine, _) = signIn.requester,
            case .rest(let until) = machine.wake(at: clock.moment), until <= clock.instant + .seconds(11)
        else { return }
        clock.advance(to: until)
    }

    /// Lets the requester of a sign-in do what it does next; returns a line for the trace.
    @discardableResult
    func goOn(_ signIn: RunningSignIn) async throws -> String? {
        switch signIn.requester {
        case .polling(var machine, let code):
            let wake = machine.wake(at: clock.moment)
            signIn.requester = .polling(machine, code)
            switch wake {
            case .ask(showing: let number):
                try await poll(signIn, &machine, code, showing: number)
                return "\(signIn.label) polls"
            case .expired:
                try await end(signIn, .expired)
                return "\(signIn.label) expires"
            case .rest, .nothing: return nil
            }
        case .redeeming(let request):
            try await redeem(request, for: signIn)
            return "\(signIn.label) redeems"
        case .givingUp(let code):
            try await GivingUpActs.revoke(code, of: signIn, in: self)
            return "\(signIn.label) gives up"
        case .visiting(let browser):
            try await BrowserSignInWay.goOn(browser, of: signIn, in: self)
            return "\(signIn.label) looks"
        case .browsing, .ended: return nil
        }
    }

    private func poll(
        _ signIn: RunningSignIn,
        _ machine: inout PolledSignIn,
        _ code: RunningSignIn.PolledCode,
        showing number: NumberPreference
    ) async throws {
        let request: TokenRequest
        var fields: HTTPFields = [:]
        switch code {
        case .device(let code):
            request = .deviceCode(code, over: signIn.links)
            if let prefer = HTTPField.Name("Prefer") { fields[prefer] = number.headerValue }
        case .backchannel(let id): request = .backchannelAuthentication(id)
        }
        let result = try await send(tokenRequest(request, for: signIn, fields), by: .screen(signIn.screen))
        if case .failure = result { signIn.hasLostAnswers = true }
        let outcome = try machine.receive(result, at: clock.moment)
        signIn.requester = .polling(machine, code)
        switch outcome {
        case .waits, .nothing: break
        case .signedIn(let tokens): try await end(signIn, with: tokens)
        case .failed(let error):
            let ending: HomeOutcome =
                switch error.code {
                case .denied: .denied
                case .expired: .expired
                default: .refused(error.providerCode ?? error.code.rawValue)
                }
            try await end(signIn, ending)
        }
    }

    /// Redeems a credential in one request, which is repeated later if its answer is lost.
    private func redeem(_ request: TokenRequest, for signIn: RunningSignIn) async throws {
        let result = try await send(tokenRequest(request, for: signIn), by: .screen(signIn.screen))
        guard case .success(let answer) = result else {
            signIn.hasLostAnswers = true
            return
        }
        if answer.response.status == .ok {
            try await end(signIn, with: try answer.decoded(TokenResponse.self))
        } else if answer.response.status.code != 429 {
            let refusal = try answer.decoded(OAuthErrorResponse.self)
            try await end(signIn, refusal.error == .accessDenied ? .denied : .refused(refusal.error.rawValue))
        }
    }

    /// A token request of a sign-in.
    func tokenRequest(_ request: TokenRequest, for signIn: RunningSignIn, _ fields: HTTPFields = [:]) -> HomeRequest {
        var form = request.form.with(signIn.screen.client.credentials)
        form[TokenRequestID.parameter] = signIn.requestID.revealed
        return HomeRequest("/token", form, fields: fields, from: signIn.screen.address)
    }

    /// Ends a sign-in with tokens.
    private func end(_ signIn: RunningSignIn, with tokens: TokenResponse) async throws {
        signIn.tokens = tokens
        let digest = tokens.accessToken.digest
        let grant = try await store.read { repositories -> Grant? in
            guard let grant = try repositories.accessTokens.find(digest)?.grant else { return nil }
            return try repositories.signIns.find(grant)?.grant
        }
        guard let grant, let person = HomePerson(grant.subject) else {
            throw HomeFault(.decided, "\(signIn.label) has a token of nobody")
        }
        guard signIn.addressee.map({ $0 == person }) ?? true else {
            throw HomeFault(.decided, "\(signIn.label) signs in \(person), whose code was not typed there")
        }
        signIn.grant = grant
        try await end(signIn, .signedIn(person))
    }

    /// Ends a sign-in, and checks that its outcome is that of the server.
    func end(_ signIn: RunningSignIn, _ outcome: HomeOutcome) async throws {
        signIn.requester = .ended
        signIn.outcome = outcome
        signIn.endings += 1
        note("\(signIn.label) shows \(outcome)")
        try await checkOutcome(of: signIn)
    }
}
