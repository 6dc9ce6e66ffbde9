internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// `POST /token`: a client requests tokens.
///
/// It reads the request and writes the answer; ``TokenService`` decides.
/// Standard: RFC 6749 §3.2; RFC 7240 for `Prefer: wait`.
struct TokenEndpoint: Sendable {
    let server: ServerCore
    let clients: ClientServices
    let service: TokenService

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("token", [.post: service.tokens.proofs.givingNonces(answer)], from: clients.origins)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        var settled = TokenService.PollAnswer(verdict: try await verdict(on: request, in: context))
        if case .wait(let held) = settled.verdict { settled = await service.hold(held, in: context) }
        return Self.answer(settled, logger: context.logger).response
    }

    @inline(never)  // Its frame holds the form, and must not become part of a waiting task's frame.
    private func verdict(on request: Request, in context: ServerRequestContext) async throws -> TokenService.Verdict {
        let address = context.address(of: request, by: server.addresses)
        let submitted = try await request.submittedForm()
        return await service.verdict(
            on: TokenService.ParsedRequest(
                credentials: submitted.credentials,
                request: Result { () throws(OAuthError) in try TokenRequest(form: submitted.form) },
                id: TokenRequestID(form: submitted.form),
                address: address,
                wait: WaitPreference(parsing: request.headers[values: .prefer]),
                number: NumberPreference(parsing: request.headers[values: .prefer]),
                proof: Result { () throws(OAuthError) in try UnverifiedDPoPProof(in: request.headers) },
                certificate: context.certificate
            )
        )
    }

    /// Answers a poll on the thread of the connection when its rows can be looked up at once, and refresh tokens and
    /// client credentials by the same steps as the router, without the router's middleware; `nil` for other requests.
    func quickOutcome(of request: FastPathRequest) throws -> FastPathOutcome? {
        let submitted = try request.submittedForm()
        let asked = TokenService.ParsedRequest(
            credentials: submitted.credentials,
            request: .success(try TokenRequest(form: submitted.form)),
            id: TokenRequestID(form: submitted.form),
            address: request.address(by: server.addresses),
            wait: WaitPreference(parsing: request.head.prefer),
            number: NumberPreference(parsing: request.head.prefer)
        )
        switch service.quickVerdict(on: asked) {
        case nil:
            guard case .success(let request) = asked.request, request.isFrequent else { return nil }
            return .later { logger in
                Self.answer(TokenService.PollAnswer(verdict: await service.verdict(on: asked)), logger: logger)
            }
        case .decided(.wait(let held)):
            return .wait(ConnectionHeldPoll(held: held, service: service))
        case .decided(let verdict):
            return .answer(Self.answer(TokenService.PollAnswer(verdict: verdict), logger: request.logger))
        case .later(let work):
            return .later { Self.answer(TokenService.PollAnswer(verdict: await work()), logger: $0) }
        }
    }

    /// The answer for a settled token request.
    static func answer(_ settled: TokenService.PollAnswer, logger: Logger) -> JSONResponse {
        var answer =
            switch settled.verdict {
            case .issued(let bytes): JSONResponse(bytes)
            case .pending(let screen) where screen != PendingScreen():
                JSONResponse(Self.undecided, showing: screen.number, link: screen.link)
            case .pending, .wait: pending
            case .refused(let error): OAuthErrorForm.answer(to: error, logger: logger)
            }
        if let applied = settled.applied { answer.headers[.preferenceApplied] = applied.headerValue }
        return answer
    }

    /// Standard: RFC 8628 §3.5.
    private static let pending = JSONResponse(undecided)
    private static let undecided = OAuthError(.authorizationPending, because: "nobody has decided yet")
}

extension TokenRequest {
    /// Whether it is one of the requests that clients send most, after polls.
    fileprivate var isFrequent: Bool {
        switch self {
        case .refresh, .clientCredentials: true
        default: false
        }
    }
}
