internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

extension SignInRun {
    /// Signs in by the browser and an authorization code, at a server that gives no device codes for it.
    ///
    /// Standard: RFC 6749 §4.1, RFC 7636, RFC 8252; OpenID Connect Core 1.0 §3.1.
    func signedInByCode(with browser: any SignInBrowser) async throws(SignInError) -> CompletedSignIn {
        let server = try await client.server(for: .authorizationCode, needsKeys: asksIdentity)
        guard let endpoint = server.authorization?.url.absoluteString else {
            throw SignInError(.flowNotOffered, because: "no endpoint for authorization")
        }
        // The request needs the address to come back to, and that is known once the browser is prepared.
        let asked = NIOLockedValueBox<PendingSignIn?>(nil)
        let visit = try await browser.prepare { address in
            asked.withLockedValue(\.self)?.isAnswered(by: address) ?? false
        }
        let result = await Result { () async throws(SignInError) in
            let pending = try request(returningTo: visit.redirectURI, at: server)
            asked.withLockedValue { $0 = pending }
            return try await signedIn(by: pending, in: visit, at: endpoint, of: server)
        }
        await visit.end()
        return try result.get()
    }

    private var requests: CodeRequests {
        var choices = AppToAppOptions()
        choices.network = options
        return CodeRequests(client: client, scope: scope, options: choices)
    }

    private func request(
        returningTo redirectURI: String,
        at server: VerifiedServer
    ) throws(SignInError) -> PendingSignIn {
        guard let redirect = try? RedirectURI(redirectURI) else {
            throw SignInError(.browserNotOpened, because: "the redirect URI cannot be used")
        }
        return try requests.request(to: redirect, at: server)
    }

    private func signedIn(
        by pending: PendingSignIn,
        in visit: any BrowserVisit,
        at endpoint: String,
        of server: VerifiedServer
    ) async throws(SignInError) -> CompletedSignIn {
        let conversation = client.conversation(
            with: server, proving: pending.tokenKey, requestID: TokenRequestID(drawingFrom: client.context.random))
        let address = try await requests.address(of: pending, at: endpoint, through: conversation)
        reporter.report(.began(.browser))
        guard let place = await visit.open(address) else {
            throw SignInError(.browserNotOpened, because: "nothing opens addresses here")
        }
        reporter.report(.opened(address, in: place))
        reporter.report(.waiting(until: pending.deadline))
        switch try await answer(to: pending, in: visit) {
        case .granted(let code):
            let answer = try await client.retrier.attempt { () async throws(StepError) in
                try await conversation.redeem(code, lenient: false)
            }
            switch answer {
            case .success(let response):
                return try await accept(
                    response, from: conversation, identifying: asksIdentity, redeemedFrom: code)
            case .failure(let error): throw SignInError(OAuthErrorResponse(error))
            }
        case let answer:
            return try await answer.map { _ in CodeCompletion.failed(.taskCancelled, .no) }.get()
        }
    }

    /// The first answer that comes back in time.
    private func answer(
        to pending: PendingSignIn,
        in visit: any BrowserVisit
    ) async throws(SignInError) -> AuthorizationAnswer<RedeemableCode> {
        let clock = client.context.clock
        let address = try await visit.firstReturn(within: AppToAppOptions().lifetime, by: clock)
        guard let returned = pending.parameters(in: address) else {
            throw SignInError(.cancelled, because: "the page was closed")
        }
        return pending.judge(returned, at: clock.now())
    }
}

extension PendingSignIn {
    /// The parameters of an address that came back to this request's redirect URI; `nil` for another address or state.
    fileprivate func parameters(in address: String) -> ReturnedParameters? {
        guard let query = (try? RedirectURI(redirectURI))?.parameters(of: address) else { return nil }
        let returned = ReturnedParameters(parsing: query)
        return returned.state == state ? returned : nil
    }

    /// Whether an address that came back answers this request.
    fileprivate func isAnswered(by address: String) -> Bool { parameters(in: address) != nil }
}
