internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `POST /authorization/decide`: the provider's own app sends the signed decision of its person about the authorization
/// request of another app, and gets the address that brings the answer there.
///
/// The request comes again and is checked again, as `/authorize/decision` does; the signed decision must be about it as
/// it is now. The nonce of the look counts once.
struct AuthorizationDecideEndpoint: Sendable {
    let server: ServerServices
    private let authorization: AppAuthorization
    private static let path = "authorization/decide"

    init(server: ServerServices) {
        self.server = server
        authorization = AppAuthorization(server: server)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: server.proofs.givingNonces(answer)])
    }

    private static let nothing = OAuthError(
        .invalidGrant,
        "there is no such request, or it is decided, over or changed; look again",
        because: "no request that can be decided like this"
    )

    private static let notAsked = OAuthError(
        .accessDenied,
        "the person has to be asked",
        because: "a decision without asking, where that is not allowed"
    )

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await ApproverRequests(server: server).answeringDecision(
            request,
            in: context,
            at: Self.path,
            reading: AuthorizationDecideRequest.init(form:),
            signed: { $0.decision }
        ) { sent, decision, caller in
            let app = try await server.store.find { try caller.app(in: $0) }
            let answer = try await record(decision, on: sent.parameters, by: app, sentBy: caller)
            return try .json(
                AuthorizationDecideResponse(
                    exchange: decision.claims.exchange,
                    outcome: Self.outcome(of: decision, answer),
                    location: answer.location
                )
            )
        }
    }

    /// Checks the request again, and records the decision about it in one change.
    private func record(
        _ decision: VerifiedAuthorizationDecision,
        on parameters: String,
        by app: ApprovingApp,
        sentBy caller: ApproverRequests.Caller
    ) async throws -> AuthorizationAnswer {
        guard
            case .decide(let checked, let mustAsk, isAllowedBefore: _) = try await authorization.step(
                for: parameters,
                at: app
            ), decision.isAbout(checked, in: parameters)
        else { throw Self.nothing }
        let answer = decision.claims.answer
        guard answer != .unasked || !mustAsk else { throw Self.notAsked }
        do {
            return try await authorization.service.decide(
                checked,
                AuthorizationService.Decision(
                    answer: answer.isApproval ? .approve : .deny,
                    party: answer == .unasked ? .rememberedConsentAtApp(app) : .app(app),
                    evidence: decision.evidence(of: app),
                    isNoted: answer == .remember,
                    id: decision.claims.exchange,
                    note: decision.note(by: app)
                ),
                from: caller.address,
                checking: { repositories, now in
                    // The app may have been signed out, and its nonce used, since it was looked up.
                    let app = try caller.app(in: repositories)
                    let nonce = try decision.nonce(of: app, at: now, in: repositories)
                    guard try repositories.exchanges.find(nonce.request) == nil else { throw Self.nothing }
                },
                also: { repositories, now in
                    let app = try caller.app(in: repositories)
                    try decision.keep(by: app, at: now, in: repositories)
                }
            )
        } catch is ConsentWithdrawn {
            throw Self.notAsked
        } catch is PageProblem {
            // A pushed request was used up in between.
            throw Self.nothing
        }
    }

    private static func outcome(
        of decision: VerifiedAuthorizationDecision,
        _ answer: AuthorizationAnswer
    ) -> AuthorizationDecideResponse.Outcome {
        switch answer.response.outcome {
        case .code: .approved
        case .refused: decision.claims.answer == .deny ? .denied : .refused
        }
    }
}
