internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `/activate/confirm` shows who asks for what; `/activate/decision` takes the person's answer.
///
/// A script holds a request while the page stands open, and leaves it once the sign-in request is over.
/// Standard: RFC 8628 §3.3, §5.4; RFC 10027 for what the page must make plain; RFC 9110 §13.1.2 (`If-None-Match`) and
/// RFC 7240 §4.3 for `Prefer: wait`.
struct ConfirmPage: Sendable {
    let pages: PageRoutes
    let services: FlowServices
    /// The requests that are held open.
    let waiters: ChangeWaiters

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("activate/confirm", [.get: show], on: router)
        pages.mount("activate/decision", [.post: decide], on: router)
    }

    // MARK: Showing

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        let query = request.uri.queryParameters
        guard let named = RequestReference({ query[$0[...]].map(String.init) }) else {
            return pages.redirect(to: "/activate")
        }
        let keys = try await services.keys.current()
        let key = named.key(by: keys)
        let address = context.address(of: request, by: services.addresses)
        if let tag = request.headers[.ifNoneMatch],
            try await isOpen(key, tag, for: visitor.person.subject, request, from: address, in: context)
        {
            return pages.unchanged(tag)
        }
        let now = services.clock.now()
        let found = try await services.store.read { [services] repositories -> Found in
            guard let stored = try key.find(for: visitor.person.subject, in: repositories) else { return .nothing }
            let exchange = stored.exchange
            let subject = visitor.person.subject
            guard exchange.decider != subject, exchange.taker != subject || stored.status(at: now) == .open else {
                return .over(stored.id)
            }
            guard exchange.taking(at: now)?.approver == visitor.session.approver, now < exchange.request.deadline,
                let client = try ClientRegistrations(repositories).requester(exchange.request.client.value)
            else { return .nothing }
            let domain = try Domains(repositories).asked(by: exchange.request)
            // An address that many people have says nothing of where they are.
            let isOfMany = try PeopleAtAddress(address)?.areMany(in: repositories, at: now) ?? true
            return .contents(
                Contents(
                    asking: RequestingDevice(
                        stored: stored,
                        client: client,
                        domain: domain,
                        claims: try repositories.claimMappings.all(),
                        visitorAddress: isOfMany ? nil : address.flatMap(services.addresses.comparable),
                        isKnownBrowser: keys.isKnown(
                            visitor.person.subject, by: stored.method.browser?.earlierVisits ?? []),
                        isRemembered: try RememberedScreens(repositories).find(of: stored, for: subject) != nil,
                        visitorEnd: visitor.session.limit,
                        obstacle: stored.obstacle(
                            to: visitor.session.proofs, under: services.policy, at: now)
                    ),
                    returning: try returning(named, of: stored, in: repositories),
                    demands: stored.demands(under: services.policy),
                    delay: stored.approvalDelay(for: .session(visitor.session), under: services.policy, sealedBy: keys)
                ))
        }
        switch found {
        case .nothing: return pages.redirect(to: named.entrance)
        case .over(let id): return pages.redirect(to: ResultPage.address(of: id))
        case .contents(let contents):
            return try await show(contents, of: named, to: visitor, request, at: now)
        }
    }

    private func show(
        _ found: Contents,
        of named: RequestReference,
        to visitor: SignedInVisitor,
        _ request: Request,
        at now: Date
    ) async throws -> Response {
        var passkey: PasskeyConfirmationView?
        if found.asking.obstacle == nil {
            passkey = try await services.accounts.confirmation(
                of: .approving(found.asking.stored.id, by: visitor.person.subject),
                demanding: found.demands,
                by: visitor,
                in: try await pages.visitor(of: request).cookie,
                orElsewhere: pages.placeOfPasskeys("/activate/confirm?\(named.query)", for: request)
            )
        }
        var page = found.asking.confirmation(of: named, for: visitor, confirmedBy: passkey, at: now)
        if found.asking.obstacle == nil { page.deliberation = found.delay?.view(at: services.clock.now()) }
        page.showProblem(of: request)
        return try pages.html(page, leadingTo: found.returning).runningWaitScript()
    }

    /// Whether the request of a page that stands open can still be answered, at the end of the wait that the page's
    /// script asks for. The page then stays, also when its person no longer holds the request, so that nothing that
    /// they typed is lost.
    private func isOpen(
        _ key: RequestKey,
        _ tag: String,
        for subject: Subject,
        _ request: Request,
        from address: String?,
        in context: ServerRequestContext
    ) async throws -> Bool {
        let find = { [services] () async throws -> SignInExchangeRecord? in
            let now = services.clock.now()
            return try await services.store.read { repositories in
                guard let stored = try key.find(for: subject, in: repositories), stored.questionTag == tag else {
                    return nil
                }
                return stored.status(at: now) == .open ? stored : nil
            }
        }
        guard let stored = try await find() else { return false }
        guard let wait = WaitPreference(parsing: request.headers[values: .prefer]) else { return true }
        let held = HeldRequest(
            waiters: waiters, topic: .signIn(stored.id), address: address,
            end: services.end(of: wait, orAt: stored.exchange.request.deadline))
        return try await held.news(in: context) { try await find() == nil ? true : nil } == nil
    }

    /// The state of the request that the page is opened for.
    private enum Found: Sendable {
        case contents(Contents)
        /// The visitor answered it before, here or at another place, or took it before it expired or the screen gave it
        /// up.
        case over(SignInRequest.ID)
        case nothing
    }

    /// The contents of the page, and the demands of a decision on it.
    private struct Contents: Sendable {
        let asking: RequestingDevice
        let returning: ReturnAddress?
        let demands: ScopeDemands
        /// The delay before the person can approve; `nil` for none.
        let delay: ApprovalDelay?
    }

    // MARK: Deciding

    private func decide(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.submission(by: request)
        guard let named = RequestReference({ form[$0] }),
            let sent = SentAnswer(form, by: request.headers[.userAgent])
        else { throw PageError.formExpired }
        let address = context.address(of: request, by: services.addresses)
        var evidence = Evidence(visitor.session.proofs)
        if sent.answer == .approve, let credential = form["credential"],
            let confirmed = try await confirmed(
                credential, named, by: visitor, in: try await pages.visitor(of: request).cookie, from: address)
        {
            evidence.add(confirmed)
        }
        let decided = try await record(
            sent, on: named, by: visitor, proving: evidence, from: address)
        switch decided.outcome {
        case .decided, .repeated:
            if let returning = decided.returning {
                return pages.redirect(to: returning, telling: sent.answer == .approve ? .success : .cancelled)
            }
            if case .mute? = sent.objection {
                return pages.redirect(to: AccountPage.CompletedAct.muted.address)
            }
            return pages.redirect(to: decided.request.map { ResultPage.address(of: $0) } ?? named.entrance)
        case .tooEarly:
            return pages.redirect(to: "/activate/confirm?\(named.query)&\(ApprovalDelay.early)=1")
        case .wrongDigits(isLast: false):
            return pages.redirect(to: "/activate/confirm?\(named.query)&\(ConfirmView.wrongNumber)")
        case .wrongDigits(isLast: true):
            return pages.redirect(to: decided.request.map { ResultPage.address(of: $0) } ?? named.entrance)
        case .notTaken, .addressedToAnother:
            return pages.redirect(to: named.entrance)
        case .refused(.classNotReached):
            // The person signs in in the way that the client asks for, and comes back to the same request.
            return pages.signInAgain(before: "/activate/confirm?\(named.query)", because: .anotherWay)
        case .refused(.notRecent):
            return pages.signInAgain(before: "/activate/confirm?\(named.query)", because: .scope)
        case .unmet:
            return try result(.unmet, for: visitor, status: .forbidden)
        case .refused(.notUserVerified):
            // Nothing is decided; the person goes back, and tries again.
            return try result(.passkeyOnly, for: visitor, status: .forbidden)
        case .refused(let refusal)
        where ApprovalObstacle(refusal) != nil && refusal != .notAuthenticated && refusal != .codeNotNamed:
            // Nor here; a screen that waits for the browser is told nothing, and goes on waiting.
            return try result(ResultView.Outcome(refusal), for: visitor, status: .forbidden)
        case .expired, .cancelled, .refused:
            if let returning = decided.returning { return pages.redirect(to: returning, telling: .cancelled) }
            var ended: ResultView.Outcome = decided.outcome == .cancelled ? .cancelled : .expired
            if case .refused(let refusal) = decided.outcome, refusal != .notAuthenticated { ended = .init(refusal) }
            return try result(ended, for: visitor, status: [.expired, .cancelled].contains(ended) ? .gone : .forbidden)
        case .alreadyDecided(let wasApproved):
            if let returning = decided.returning {
                return pages.redirect(to: returning, telling: wasApproved ? .success : .cancelled)
            }
            // A person who answers otherwise than before sees their first answer, and can still undo an approval.
            if decided.isOwn, let id = decided.request { return pages.redirect(to: ResultPage.address(of: id)) }
            return try result(.alreadyDecided, for: visitor, status: .conflict)
        }
    }

    /// The outcome of an answer, and where the browser is sent.
    private struct AnswerOutcome: Sendable {
        let outcome: DecisionOutcome
        var request: SignInRequest.ID?
        var returning: ReturnAddress?
        /// Whether the person themselves had decided the request before.
        var isOwn = false
    }

    /// Records the answer.
    ///
    /// - Throws: ``PageError/strayReturn``; then nothing is changed.
    private func record(
        _ sent: SentAnswer,
        on named: RequestReference,
        by visitor: SignedInVisitor,
        proving evidence: Evidence,
        from address: String?
    ) async throws -> AnswerOutcome {
        let keys = try await services.keys.current()
        let key = named.key(by: keys)
        return try await services.approvals.deciding { repositories, step in
            guard let stored = try key.find(for: visitor.person.subject, in: repositories) else {
                return AnswerOutcome(outcome: .notTaken)
            }
            var proposed = ProposedDecision(
                answer: sent.answer,
                stored: stored,
                requestState: .taken,
                party: .visitor(visitor, on: sent.page(about: stored, shownTo: .session(visitor.session))),
                evidence: evidence,
                address: address
            )
            proposed.sessionTerm = sent.sessionTerm
            proposed.typed = sent.number.map { DigitsCode(of: $0, for: stored.id, under: keys) }
            proposed.objection = sent.objection
            if stored.isTakenInBrowserOfScreen(at: step.now) { proposed.bindToDeviceOfScreen(by: step.mint) }
            let outcome = try step.decide(proposed)
            guard outcome != .notTaken else { return AnswerOutcome(outcome: outcome) }
            // An unregistered return address throws here and rolls the change back.
            let returning = try returning(named, of: stored, over: proposed.link, in: repositories)
            let isOwn = stored.exchange.decider == visitor.person.subject
            return AnswerOutcome(outcome: outcome, request: stored.id, returning: returning, isOwn: isOwn)
        }
    }

    /// The address that the browser returns to after a decision; `nil` to stay here.
    ///
    /// - Throws: ``PageError/strayReturn``.
    private func returning(
        _ named: RequestReference,
        of stored: SignInExchangeRecord,
        over link: NearbyLinkID? = nil,
        in repositories: any Repositories
    ) throws -> ReturnAddress? {
        if let screen = stored.method.browserReturn, stored.isTakenInBrowserOfScreen(at: services.clock.now()) {
            return .screen(screen, link: link)
        }
        return try ReturnAddress(named.returning, for: stored, in: repositories)
    }

    /// The proof that a passkey of the person confirmed this request; `nil` when it did not.
    private func confirmed(
        _ credential: String,
        _ named: RequestReference,
        by visitor: SignedInVisitor,
        in cookie: BrowserCookie,
        from address: String?
    ) async throws -> Evidence.Proof? {
        let key = named.key(by: try await services.keys.current())
        let subject = visitor.person.subject
        guard let id = try await services.store.read({ try key.find(for: subject, in: $0)?.id }) else { return nil }
        return try await services.accounts.confirmed(
            credential, .approving(id, by: subject), by: visitor, in: cookie, from: address)
    }

    private func result(
        _ outcome: ResultView.Outcome,
        for visitor: SignedInVisitor,
        status: HTTPResponse.Status
    ) throws -> Response {
        let view = ResultView(
            personName: visitor.person.name,
            formToken: visitor.formToken.revealed,
            outcome: outcome
        )
        return try pages.html(view, status: status)
    }
}
