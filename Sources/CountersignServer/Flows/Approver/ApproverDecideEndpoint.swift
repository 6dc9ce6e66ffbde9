internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `POST /approver/decide`: an app that approves sends the signed answer of its person to what they were shown.
///
/// The request of a screen nearby, one of a screen on the same device and one in the inbox are taken (even if another
/// approver holds them) and decided in one change; the answer about the second has the address that brings it back there.
/// The authorization request of another app comes again and is checked again, as `/authorize/decision`
/// does; the answer has the address that brings it there. The nonce of the look counts once. The same signed decision
/// about a stored request is confirmed again, without any effect: the first answer may have been lost. An approval that does
/// not meet a demand decides nothing: the app learns the demand, and the screen goes on waiting.
struct ApproverDecideEndpoint: Sendable {
    private let requests: ApproverRequests
    private let authorization: AppAuthorization
    private var services: FlowServices { requests.services }
    private static let path = "approver/decide"

    init(requests: ApproverRequests) {
        self.requests = requests
        authorization = AppAuthorization(requests.services)
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: services.proofs.givingNonces(answer)])
    }

    private static let forbidden = OAuthError(
        .accessDenied,
        "the evidence is not enough for what the request asks",
        because: "refused by policy"
    )

    private static let notInGroup = OAuthError(
        .invalidScope,
        "the scope is only for people of a group",
        because: "\(Policy.ViolationError.notInGroup)"
    )

    private static let wrongNumber = OAuthError(
        .invalidNumber,
        "that is not the number that is shown where the person started",
        because: "a wrong number, or none"
    )

    private static let typedThere = OAuthError(
        .invalidRequest,
        "this password is typed where the request was started",
        because: "an approval of a one-time password"
    )

    private static let notAsked = OAuthError(
        .accessDenied,
        "the person has to be asked",
        because: "a decision without asking, where that is not allowed"
    )

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        try await requests.answering(request, in: context, at: Self.path) { caller in
            let (sent, decision) = try await verified(request, from: caller)
            do {
                switch decision.claims.finding {
                case .authorization(let finding):
                    guard let answer = try await answer(decision, finding, on: sent.parameters, from: caller) else {
                        return Self.obstructed(.other)
                    }
                    return try .json(answer)
                case .nearby, .activation, .inbox:
                    switch try await decide(decision, from: caller) {
                    case .recorded(let answer): return try .json(answer)
                    case .refused(let error): throw error
                    case .obstructed(let obstacle): return Self.obstructed(obstacle)
                    case .answered(let place): return ApproverRequests.answered(at: place)
                    }
                }
            } catch let error as OAuthError where [.accessDenied, .invalidScope].contains(error.code) {
                return JSONResponse(error, status: .forbidden).response
            }
        }
    }

    /// The answer to an approval that does not meet a demand. Nothing was decided.
    private static func obstructed(_ obstacle: ApprovalObstacle) -> Response {
        let message = ApproverErrorResponse(forbidden, obstacle: obstacle)
        return JSONResponse(holding: message, status: .forbidden, headers: [:]).response
    }

    /// Reads and verifies the decision. A call that fails here counts in a change of its own, every other in the change
    /// that answers it.
    private func verified(
        _ request: Request,
        from caller: ApproverRequests.Caller
    ) async throws -> (ApproverDecideRequest, VerifiedDecision) {
        let key = try await caller.key()
        do {
            let sent = try ApproverDecideRequest(form: try await request.form())
            return (sent, try VerifiedDecision(sent.decision, by: key, for: services.issuer, at: services.clock.now()))
        } catch {
            try await caller.count()
            throw error
        }
    }

    // MARK: Requests that are stored

    /// The outcome of a decision about a stored request. A refusal is a value: an error would undo the count.
    private enum Outcome: Sendable {
        case recorded(ApproverDecideResponse)
        case refused(OAuthError)
        /// The approval does not meet a demand.
        case obstructed(ApprovalObstacle)
        /// The same person answered before.
        case answered(AnswerPlace)

        /// The refusal of a request that cannot be decided any more.
        static func over(
            _ id: SignInRequest.ID,
            for app: ApprovingApp,
            in repositories: any Repositories
        ) throws -> Outcome {
            let place = try app.placeOfAnswer(to: repositories.exchanges.find(id), in: repositories)
            return place.map { .answered($0) } ?? .refused(ApproverRequests.noOpenRequest)
        }
    }

    /// Decides the request that the app was shown, and stores its signed decision, in one change.
    private func decide(
        _ decision: VerifiedDecision,
        from caller: ApproverRequests.Caller
    ) async throws -> Outcome {
        try await services.approvals.deciding { repositories, step in
            let app = try caller.countedApp(in: repositories)
            if let outcome = try decision.recorded(by: app, in: repositories) {
                let stored = try repositories.exchanges.find(decision.claims.exchange)
                return .recorded(response(outcome, to: decision, on: stored, over: stored?.exchange.link))
            }
            do {
                let nonce = try decision.nonce(of: app, at: step.now, in: repositories)
                guard let stored = try repositories.exchanges.find(nonce.request),
                    // It may have been decided, and the device have left the site, since the look.
                    try app.mayAnswer(stored, in: repositories, at: step.now)
                else { return try .over(nonce.request, for: app, in: repositories) }
                var proposed = try proposal(decision, on: stored, by: app, caller, at: step.now, in: repositories)
                if case .activation = decision.claims.finding { proposed.bindToDeviceOfScreen(by: step.mint) }
                switch try step.decide(proposed) {
                case .decided:
                    try decision.keep(by: app, at: step.now, in: repositories)
                    return .recorded(
                        response(decision.claims.answer.outcome, to: decision, on: stored, over: proposed.link))
                case .wrongDigits(isLast: let isLast):
                    if isLast { try repositories.decisionNonces.removeAll(of: stored.id) }
                    return .refused(Self.wrongNumber)
                case .refused(.notInGroup):
                    // The request is denied.
                    try repositories.decisionNonces.removeAll(of: stored.id)
                    return .refused(Self.notInGroup)
                case .refused(let refusal):
                    return ApprovalObstacle(refusal).map { .obstructed($0) } ?? .refused(Self.forbidden)
                case .repeated, .alreadyDecided, .notTaken, .expired, .cancelled, .addressedToAnother, .unmet,
                    .tooEarly:
                    return try .over(stored.id, for: app, in: repositories)
                }
            } catch let error as OAuthError {
                // Another decision has used up the nonces of the request.
                guard error.code == .invalidGrant else { return .refused(error) }
                return try .over(decision.claims.exchange, for: app, in: repositories)
            }
        }
    }

    /// The confirmation of a decision, with the address that brings it back to a screen on the same device.
    ///
    /// - Parameter link: The link that an approval is bound to, until it is redeemed.
    private func response(
        _ outcome: ApproverDecideResponse.Outcome,
        to decision: VerifiedDecision,
        on stored: SignInExchangeRecord?,
        over link: NearbyLinkID?
    ) -> ApproverDecideResponse {
        var location: AuthorizationAnswerAddress?
        if case .activation = decision.claims.finding, let screen = stored?.method.browserReturn {
            location = AuthorizationAnswerAddress(
                revealing: ReturnAddress.screen(screen, link: link)
                    .telling(outcome == .approved ? .success : .cancelled, from: services.issuer))
        }
        return ApproverDecideResponse(exchange: decision.claims.exchange, outcome: outcome, location: location)
    }

    private func proposal(
        _ decision: VerifiedDecision,
        on stored: SignInExchangeRecord,
        by app: ApprovingApp,
        _ caller: ApproverRequests.Caller,
        at now: Date,
        in repositories: any Repositories
    ) throws -> ProposedDecision {
        let claims = decision.claims
        var proposed = ProposedDecision(
            answer: claims.answer.isApproval ? .approve : .deny,
            stored: stored,
            requestState: .open,
            party: .app(app),
            evidence: app.evidence,
            address: caller.address,
            note: decision.note(by: app)
        )
        proposed.sessionTerm = claims.session
        switch claims.finding {
        case .authorization: throw ApproverRequests.noOpenRequest
        case .nearby(let finding):
            let screen = stored.exchange.request.address?.value
            let network = try services.addresses.samePlace(screen, caller.address, in: repositories, at: now)
            proposed.evidence.add(finding.proof(in: network))
            proposed.link = finding.link
            proposed.type(finding.number, under: caller.keys)
        case .activation(let finding):
            guard stored.method.browserReturn?.redirectURI == finding.redirectURI else {
                throw ApproverRequests.noOpenRequest
            }
            proposed.evidence = app.evidenceOnSameDevice
        case .inbox(let finding):
            // A key without a device is not enough: the person does not see it on their account.
            guard app.signIn.approverKey != nil, try repositories.devices.find(app.signIn.grant.id) != nil else {
                throw ApproverRequests.keyMissing
            }
            guard stored.method.kind == .instant || !claims.answer.isApproval else { throw Self.typedThere }
            for proof in stored.proofsInInbox { proposed.evidence.add(proof) }
            if finding.isUserVerified, app.mayVerifyPerson(under: services.policy) {
                let demands = stored.demands(under: services.policy)
                proposed.evidence = demands.adding(verificationAt: now, to: proposed.evidence)
            }
            proposed.type(finding.number, under: caller.keys)
            switch claims.answer {
            case .report: proposed.objection = .report(reason: finding.reason)
            case .mute: proposed.objection = .mute
            case .approve, .remember, .unasked, .deny: break
            }
        }
        return proposed
    }

    // MARK: Authorization requests of other apps

    /// Checks the request again, and records the decision about it in one change.
    ///
    /// - Returns: The confirmation; `nil` for an approval of a request that has become one for the browser since the
    ///   look, where the person may sign in again: then nothing is decided.
    private func answer(
        _ decision: VerifiedDecision,
        _ finding: AuthorizationFinding,
        on parameters: String?,
        from caller: ApproverRequests.Caller
    ) async throws -> ApproverDecideResponse? {
        let app = try await caller.count()
        guard let parameters else {
            throw OAuthError(.invalidRequest, "authorization is missing", because: "no parameters")
        }
        let step = try await authorization.step(for: parameters, at: app)
        if case .browser = step, decision.claims.answer.isApproval,
            finding.parameters == AnswerDigest(of: Array(parameters.utf8))
        {
            return nil
        }
        guard case .decide(let checked, let mustAsk, isAllowedBefore: _) = step,
            finding.isAbout(checked, in: parameters)
        else { throw ApproverRequests.noOpenRequest }
        let said = decision.claims.answer
        guard said != .unasked || !mustAsk else { throw Self.notAsked }
        let answer: AuthorizationReply
        do {
            answer = try await authorization.service.decide(
                checked,
                AuthorizationService.Decision(
                    answer: said.isApproval ? .approve : .deny,
                    party: said == .unasked ? .rememberedConsentAtApp(app) : .app(app),
                    evidence: app.evidenceOnSameDevice,
                    isNoted: said == .remember,
                    sessionTerm: decision.claims.session,
                    id: decision.claims.exchange,
                    note: decision.note(by: app)
                ),
                from: caller.address,
                checking: { repositories, now in
                    // The app may have been signed out, and its nonce used, since it was looked up.
                    let app = try caller.app(in: repositories)
                    let nonce = try decision.nonce(of: app, at: now, in: repositories)
                    guard try repositories.exchanges.find(nonce.request) == nil else {
                        throw ApproverRequests.noOpenRequest
                    }
                },
                also: { repositories, now in
                    let app = try caller.app(in: repositories)
                    try decision.keep(by: app, at: now, in: repositories)
                }
            )
        } catch is ConsentWithdrawnError {
            throw Self.notAsked
        } catch is PageError {
            // A pushed request was used up meanwhile.
            throw ApproverRequests.noOpenRequest
        }
        let outcome: ApproverDecideResponse.Outcome =
            switch answer.response.outcome {
            case .code: .approved
            case .refused: said == .deny ? .denied : .refused
            }
        return ApproverDecideResponse(
            exchange: decision.claims.exchange, outcome: outcome, location: answer.location)
    }
}

extension ProposedDecision {
    /// Takes in the number that the person typed at the app; `nil` for none.
    fileprivate mutating func type(_ number: String?, under keys: Keys) {
        typed = number.map { DigitsCode(of: TypedText.folded($0), for: stored.id, under: keys) }
    }
}
