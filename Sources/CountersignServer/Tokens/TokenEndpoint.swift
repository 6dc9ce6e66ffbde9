internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// `POST /token`: a client requests tokens.
///
/// It reads the request and writes the answer; ``TokenService`` decides.
/// Standard: RFC 6749 §3.2; RFC 7240 for `Prefer: wait`.
struct TokenEndpoint: Sendable {
    let core: ServerCore
    let clients: ClientServices
    let service: TokenService

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("token", [.post: service.tokens.proofs.givingNonces(answer)], from: clients.origins)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let result = await (try await step(for: request, in: context)).result(in: context)
        return result.answer(at: core.clock.now(), logger: context.logger).response
    }

    @inline(never)  // Its frame holds the form, and must not become part of a waiting task's frame.
    private func step(for request: Request, in context: ServerRequestContext) async throws -> TokenStep {
        var parsed = TokenService.ParsedRequest(
            try await request.submittedForm(),
            preferring: request.headers[values: .prefer],
            from: context.address(of: request, by: core.addresses)
        )
        parsed.proof = Result { () throws(OAuthError) in try UnverifiedDPoPProof(in: request.headers) }
        parsed.certificate = context.certificate
        return await service.step(for: parsed)
    }

    /// Answers a poll on the thread of the connection when its rows can be looked up at once, and refresh tokens and
    /// client credentials by the same steps as the router, without the router's middleware; `nil` for other requests.
    func quickOutcome(of request: FastPathRequest) throws -> FastPathOutcome? {
        let parsed = TokenService.ParsedRequest(
            try request.submittedForm(),
            preferring: request.head.prefer,
            from: request.address(by: core.addresses)
        )
        switch service.quickStep(for: parsed) {
        case .done(let result):
            return .answer(result.answer(at: core.clock.now(), logger: request.logger))
        case .hold(let poll):
            return .wait(poll)
        case .later(let work):
            return .later { await work().answer(at: core.clock.now(), logger: $0) }
        case nil:
            // The requests that clients send most, after polls.
            switch parsed.request {
            case .success(.refresh), .success(.clientCredentials): break
            default: return nil
            }
            return .later { logger in
                guard case .done(let result) = await service.step(for: parsed) else {
                    return OAuthErrorForm.answer(to: ContradictoryRequestError(), logger: logger)
                }
                return result.answer(at: core.clock.now(), logger: logger)
            }
        }
    }
}

extension TokenService.ParsedRequest {
    fileprivate init(_ submitted: SubmittedForm, preferring preferences: [String], from address: String?) {
        self.init(
            credentials: submitted.credentials,
            request: Result { () throws(OAuthError) in try TokenRequest(form: submitted.form) },
            id: TokenRequestID(form: submitted.form),
            address: address,
            wait: WaitPreference(parsing: preferences),
            number: NumberPreference(parsing: preferences)
        )
    }
}

extension TokenResult {
    /// The answer in the words of OAuth.
    ///
    /// Standard: RFC 6749 §5; RFC 8628 §3.5.
    func answer(at now: Date, logger: Logger) -> JSONResponse {
        switch self {
        case .issued(let bytes), .repeated(let bytes): return JSONResponse(bytes)
        case .pending(let request):
            let screen = request.screen(at: now)
            return screen == PendingScreen()
                ? Self.pending : JSONResponse(Self.undecided, showing: screen.number, link: screen.link)
        case .refused(let error): return OAuthErrorForm.answer(to: error, logger: logger)
        case .waited(let preference, let result):
            var answer = result.answer(at: now, logger: logger)
            answer.headers[.preferenceApplied] = preference.headerValue
            return answer
        }
    }

    private static let pending = JSONResponse(undecided)
    private static let undecided = OAuthError(.authorizationPending, because: "nobody has decided yet")
}

extension PollError: OAuthAnswerable {
    var oauthAnswer: JSONResponse { JSONResponse(OAuthError(code.oauth, because: reason)) }
}

extension HeldPoll: FastPathWait {
    func look(_ logger: Logger) async -> JSONResponse? {
        await look().map { $0.answer(at: clock.now(), logger: logger) }
    }

    func answer(after end: ChangeWaiter.End, _ logger: Logger) -> JSONResponse? {
        result(after: end).map { $0.answer(at: clock.now(), logger: logger) }
    }

    func answerWithoutWaiting(_ logger: Logger) -> JSONResponse {
        TokenResult.pending(pending).answer(at: clock.now(), logger: logger)
    }
}
