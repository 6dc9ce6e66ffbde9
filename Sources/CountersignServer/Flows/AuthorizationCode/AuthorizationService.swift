internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Decides the next step for a checked authorization request: whether the person has to sign in, is asked, or the
/// client gets its answer at once.
///
/// Standard: OpenID Connect Core 1.0 §3.1.2.3, §3.1.2.4, §3.1.2.6.
struct AuthorizationService: Sendable {
    let services: FlowServices

    /// The lifetime of a code, in seconds.
    ///
    /// Standard: RFC 6749 §4.1.2.
    static let codeLifetime: TimeInterval = 60

    /// The next step.
    enum Step: Sendable {
        /// The person signs in, again if they are signed in already.
        case authenticate(LoginPage.ReauthenticationReason)
        /// The person is asked.
        case ask
        /// The client gets a code for this request without asking, because of an earlier consent or of its
        /// registration.
        case approve(CheckedAuthorizationRequest)
        /// The client gets an error, since it forbids asking the person or the request cannot be met.
        case refuse(OAuthError)
    }

    /// The next step for a request.
    ///
    /// - Parameter visitor: The person who is signed in at the browser, if one is.
    func step(for checked: CheckedAuthorizationRequest, visitor: SignedInVisitor?) async throws -> Step {
        try await step(
            for: checked,
            person: visitor?.person.subject,
            evidence: Evidence((visitor?.session.proofs ?? []) + [.redirected])
        )
    }

    /// The next step for a request that a browser or the provider's own app brings.
    ///
    /// - Parameters:
    ///   - person: The person who is signed in there, if one is.
    ///   - evidence: The person's proofs of who they are, and those of their answer.
    func step(
        for checked: CheckedAuthorizationRequest,
        person: Subject?,
        evidence: Evidence
    ) async throws -> Step {
        let request = checked.request
        let isSilent = request.prompts.contains(.none)
        // A session that another device opened can be followed by a sign-in in this browser.
        let isByOtherDevice = evidence.authentication?.how == .crossDevice
        guard let person, let authenticated = evidence.authenticated, isFresh(authenticated, for: checked) else {
            if isSilent { return .refuse(OAuthError(.loginRequired, because: "no fresh sign-in")) }
            return .authenticate(isByOtherDevice && checked.seen.isReturn ? .scope : .anybody)
        }
        guard checked.person.isMet(by: person) else {
            if isSilent { return .refuse(OAuthError(.loginRequired, because: "another person is signed in")) }
            return .authenticate(checked.seen.isReturn ? .another : .anybody)
        }
        let claims = RequestedClaims(of: request)
        let demands = checked.demands(under: services.policy).reaching(claims.classes)
        let maySignInAgain = !isSilent && (isByOtherDevice || !isReturn(authenticated, for: checked))
        guard demands.isClassReached(by: evidence) else {
            guard maySignInAgain, try await isClassReachable(in: demands, by: person) else {
                return .refuse(OAuthError(.unmetAuthenticationRequirements, because: "the acr is not reached"))
            }
            return .authenticate(.anotherWay)
        }
        if let obstacle = demands.obstacleOfSignIn(to: evidence) {
            let wanted = ScopeDemands([], reaching: [obstacle == .notByPassword ? .password : .secondFactor])
            guard maySignInAgain, try await isClassReachable(in: wanted, by: person) else {
                return .refuse(OAuthError(.accessDenied, because: "policy: \(obstacle)"))
            }
            return .authenticate(.anotherWay)
        }
        // Only the provider's own app signs its answer.
        guard evidence.isSignedByDevice || !demands.contains(.deviceKey) else { return .refuse(.noWay) }
        let wished = demands.reaching(claims.wishedClasses)
        // A wish is told to the person once.
        let wasAsked = isByOtherDevice ? checked.seen.isReturn : !maySignInAgain
        if !isSilent, !wasAsked, !wished.isClassReached(by: evidence),
            try await isClassReachable(in: wished, by: person)
        {
            return .authenticate(.anotherWay)
        }
        guard demands.isRecent(evidence, at: services.clock.now()) else {
            if isSilent { return .refuse(OAuthError(.loginRequired, because: "no sign-in that is recent enough")) }
            // Signing in at the other provider again would not help.
            let mayHelp = evidence.authentication?.how.isLocal == true || isByOtherDevice
            guard mayHelp || !isReturn(authenticated, for: checked) else {
                return .refuse(OAuthError(.accessDenied, because: "signed in elsewhere only"))
            }
            return .authenticate(.scope)
        }
        // A passkey confirms the request on the page.
        let mustAsk =
            !request.prompts.isDisjoint(with: [.consent, .selectAccount]) || request.service != nil
            || demands.contains(.userVerified)
        if checked.isClientAssured, !mustAsk {
            let allowed = try await allowedScope(of: checked, by: person)
            if checked.scope.isSubset(of: allowed) { return .approve(checked) }
            let less = checked.withoutClaims
            if isSilent, less.scope.isSubset(of: allowed) { return .approve(less) }
        }
        return isSilent ? .refuse(OAuthError(.consentRequired, because: "the person has to be asked")) : .ask
    }

    private func isClassReachable(in demands: ScopeDemands, by person: Subject) async throws -> Bool {
        let policy = services.policy
        let now = services.clock.now()
        return try await services.store.read {
            try People($0).canReachClass(in: demands, person, under: policy, at: now)
        }
    }

    /// The refusal of a request for scope that is only for a group that the person is not in.
    static let notInGroup = OAuthError(
        .accessDenied,
        "the scope is only for people of a group",
        because: "policy: \(Policy.ViolationError.notInGroup)"
    )

    /// Whether a word of the scope is only for a group that the person is not in.
    func lacksGroup(for checked: CheckedAuthorizationRequest, _ person: Subject) async throws -> Bool {
        try await permitted(checked.scope, to: person) != checked.scope
    }

    /// The same request without scope that it asks for by `claims` alone, where only that needs a group that the person
    /// is not in.
    ///
    /// - Parameter person: The person who is signed in; `nil` if nobody is, and then the request stays as it is.
    func withoutUnneededClaims(
        _ checked: CheckedAuthorizationRequest, of person: Subject?
    ) async throws -> CheckedAuthorizationRequest {
        let less = checked.withoutClaims
        guard let person, less.scope != checked.scope else { return checked }
        let permitted = try await permitted(checked.scope, to: person)
        return permitted != checked.scope && less.scope.isSubset(of: permitted) ? less : checked
    }

    private func permitted(_ scope: Scope, to person: Subject) async throws -> Scope {
        try await services.store.read { [policy = services.policy] in
            try Groups($0).allowed(scope, to: person, under: policy)
        }
    }

    /// Whether an earlier consent, or the client's registration, allows all of it. A service is asked about each time.
    func isAllowed(_ checked: CheckedAuthorizationRequest, by subject: Subject) async throws -> Bool {
        guard checked.request.service == nil else { return false }
        return checked.scope.isSubset(of: try await allowedScope(of: checked, by: subject))
    }

    private func allowedScope(of checked: CheckedAuthorizationRequest, by subject: Subject) async throws -> Scope {
        try await services.store.read { try Consents($0).allowed(of: checked.scope, by: subject, to: checked.client) }
    }

    /// Whether a sign-in is as recent as the request demands: later than the server saw the request, or at most
    /// `max_age` before.
    private func isFresh(_ authenticated: Date, for checked: CheckedAuthorizationRequest) -> Bool {
        if isReturn(authenticated, for: checked) { return true }
        let seen = checked.seen
        guard !checked.request.prompts.contains(.login) else { return false }
        guard let maxAge = checked.request.maxAge else { return true }
        return seen.first < authenticated + TimeInterval(maxAge)
    }

    /// Whether the person signed in because of this request.
    private func isReturn(_ authenticated: Date, for checked: CheckedAuthorizationRequest) -> Bool {
        checked.seen.isReturn && authenticated >= checked.seen.first
    }

    /// An answer to a request, wherever it comes from.
    struct Decision: Sendable {
        let answer: ProposedDecision.Answer
        let party: DecidingParty
        let evidence: Evidence
        /// Whether an approval is remembered, so that the person need not be asked again.
        let isNoted: Bool
        /// The browser session that the person answers in; `nil` for an app.
        var session: BrowserSession?
        /// The time that the person chose for a service; `nil` where they chose none.
        var sessionTerm: SessionTerm?
        /// The identifier of the request; `nil` for a new one.
        var id: SignInRequest.ID?
        /// A further note about the answer for the audit.
        var note: String?
    }

    /// Records an answer, and returns the answer for the client.
    ///
    /// - Parameters:
    ///   - address: The network address that it comes from.
    ///   - check: Runs first in the change that records it.
    ///   - also: Runs in the same change after the decision was recorded.
    /// - Throws: ``RateLimitError``; ``ConsentWithdrawnError``; ``EarlyApprovalError``;
    ///   ``PageError/unreadableAuthorization(because:)`` when a pushed request was answered before; what `check` and
    ///   `also` throw, and then nothing was changed; ``StoreUnavailableError``.
    func decide(
        _ checked: CheckedAuthorizationRequest,
        _ decision: Decision,
        from address: String?,
        checking check: @escaping @Sendable (any Repositories, Date) throws -> Void = { _, _ in },
        also: @escaping @Sendable (any Repositories, Date) throws -> Void = { _, _ in }
    ) async throws -> AuthorizationReply {
        let code: AuthorizationCode = services.mint.secret()
        let answer = decision.answer
        var asked = SignInStartRequest(
            client: checked.client,
            provenance: checked.isClientAssured ? .verified : .asserted,
            scope: checked.scope,
            address: address,
            software: nil
        )
        asked.isOfVisitor = true
        asked.id = decision.id
        asked.classes = RequestedClaims(of: checked.request).classes
        asked.lifetime = Self.codeLifetime
        asked.service = checked.request.service
        let outcome = try await services.starts.start(
            asked,
            deciding: SignInStartService.ImmediateDecision(
                answer: answer,
                party: decision.party,
                evidence: decision.evidence,
                code: code.digest,
                method: .authorizationCode(checked.binding(approvedBy: decision.session)),
                note: decision.note,
                sessionTerm: decision.sessionTerm
            ),
            checking: { repositories, now in
                try check(repositories, now)
                guard decision.party.answersByRememberedConsent else { return }
                // The person may have withdrawn it since it was looked up.
                let allowed = try Consents(repositories)
                    .allowed(of: checked.scope, by: decision.party.approver.subject, to: checked.client)
                guard checked.scope.isSubset(of: allowed) else { throw ConsentWithdrawnError() }
            }
        ) { repositories, now in
            if let pushed = checked.pushed, try !repositories.pushedRequests.remove(pushed) {
                throw PageError.unreadableAuthorization(because: "the pushed request was used up meanwhile")
            }
            try also(repositories, now)
            // Consent in a browser or app that ends by itself does not outlast it, and that to a service is for it alone.
            guard answer == .approve, decision.isNoted, decision.party.limit == nil, checked.request.service == nil
            else { return }
            let subject = decision.party.approver.subject
            try Consents(repositories).note(checked.scope, by: subject, to: checked.client.id, at: now)
        }
        switch outcome {
        case .decided:
            return checked.answering.answer(
                answer == .approve
                    ? .code(code) : .refused(OAuthError(.accessDenied, because: "the person denied"))
            )
        case .refused(.classNotReached):
            return checked.answering.answer(
                .refused(OAuthError(.unmetAuthenticationRequirements, because: "the acr is not reached")))
        case .refused(.notInGroup):
            return checked.answering.answer(.refused(Self.notInGroup))
        case .refused(let refusal):
            return checked.answering.answer(.refused(OAuthError(.accessDenied, because: "policy: \(refusal)")))
        }
    }
}

extension AuthorizationService.Decision {
    /// The answer of a person at a browser.
    ///
    /// - Parameters:
    ///   - page: The page that they answer from; `nil` for an earlier consent, which answers without asking.
    ///   - confirmed: The proof that a passkey confirmed it, where one is demanded.
    init(
        _ answer: ProposedDecision.Answer,
        by visitor: SignedInVisitor,
        on page: FormContext?,
        confirmedBy confirmed: Evidence.Proof? = nil
    ) {
        self.init(
            answer: answer,
            party: page.map { DecidingParty.visitor(visitor, on: $0) } ?? .rememberedConsent(visitor),
            evidence: Evidence(visitor.session.proofs + [.redirected] + (confirmed.map { [$0] } ?? [])),
            isNoted: page != nil,
            session: visitor.session
        )
    }
}

/// The person has withdrawn the consent that would have answered for them.
struct ConsentWithdrawnError: Error {}
