internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `/answer`: the page of the link in a text message. It shows the request and takes the answer; a GET decides nothing.
///
/// It signs no person in: the link proves that the text was read, which is weak evidence
/// (``Possession/deliveredLink``) that policy refuses where more is demanded. A script holds a request while the page
/// asks, and shows the result of an answer at another place.
/// Standard: RFC 9110 §13.1.2 (`If-None-Match`); RFC 7240 §4.3 for `Prefer: wait`.
struct AnswerPage: Sendable {
    let pages: PageRoutes
    let services: FlowServices
    /// The requests that are held open.
    let waiters: ChangeWaiters

    static let returns = ReturnPage(paths: ["/answer"]) { form in
        form[AnswerLink.field].flatMap { AnswerLink($0) }?.path
    }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("answer", [.get: show, .post: decide], on: router)
    }

    // MARK: Showing

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let query = request.uri.queryParameters
        let address = context.address(of: request, by: services.addresses)
        try services.requestLimiter.admit(.address(.tokenPerAddress, address))
        guard let link = query[Substring(AnswerLink.field)].flatMap({ AnswerLink(String($0)) }) else {
            throw PageError.notFound
        }
        guard var found = try await question(of: link, from: address) else { throw PageError.notFound }
        if found.isOpen, let tag = request.headers[.ifNoneMatch], tag == found.asking.stored.questionTag {
            guard let wait = WaitPreference(parsing: request.headers[values: .prefer]),
                let over = try await held(found, of: link, wait, from: address, in: context)
            else { return pages.unchanged(tag) }
            found = over
        }
        let asking = found.asking
        switch found.status {
        case .open: break
        case .approved:
            let use = asking.stored.use(
                of: asking.stored.exchange.grant, for: asking.domain, at: services.clock.now())
            return try result(.approved(app: asking.client.shownName, for: use, undo: .over), answered: found.place)
        case .denied: return try result(.denied, answered: found.place)
        case .expired, .failed: return try result(.expired, status: .gone)
        }
        let keys = try await services.keys.current()
        let stored = asking.stored
        let visitor = try await pages.visitor(of: request)
        var page = asking.confirmation(by: link, formToken: visitor.formToken, at: services.clock.now())
        page.deliberation = stored.approvalDelay(
            for: .browser(visitor.cookie), under: services.policy, sealedBy: keys
        )?.view(at: services.clock.now())
        page.showProblem(of: request)
        var response = try pages.html(page).runningWaitScript()
        if visitor.isNew { response.headers[.setCookie] = pages.jar.give(visitor.cookie) }
        return response
    }

    /// A request, as the page of its link shows it.
    private struct Question: Sendable {
        let asking: RequestingDevice
        let status: AuthenticationRequest.Status
        /// The place where the person answered; `nil` for this page, and before an answer.
        let place: AnswerPlace?

        var isOpen: Bool { status == .open }
    }

    private func question(of link: AnswerLink, from address: String?) async throws -> Question? {
        let keys = try await services.keys.current()
        let now = services.clock.now()
        return try await services.store.read { repositories in
            guard let reader = try AnswerLinkReader(of: link, under: keys, in: repositories),
                let client = try repositories.clients.find(reader.stored.exchange.request.client.value)
            else { return nil }
            let place = try AnswerPlace(of: reader.stored, toldTo: reader.person.subject, in: repositories)
            return Question(
                asking: RequestingDevice(
                    stored: reader.stored, client: client, domain: nil,
                    claims: try repositories.claimMappings.all(), visitorAddress: address),
                status: reader.stored.status(at: now),
                place: place?.kind == .textMessage ? nil : place
            )
        }
    }

    /// Holds a request of the script until the question is over, or the time is.
    ///
    /// - Returns: The question that is over; `nil` for one that can still be answered.
    private func held(
        _ known: Question,
        of link: AnswerLink,
        _ wait: WaitPreference,
        from address: String?,
        in context: ServerRequestContext
    ) async throws -> Question? {
        let stored = known.asking.stored
        let held = HeldRequest(
            waiters: waiters, topic: .signIn(stored.id), address: address,
            end: services.end(of: wait, orAt: stored.exchange.request.deadline))
        return try await held.news(in: context) {
            let now = try await question(of: link, from: address)
            return now?.isOpen == true ? nil : now
        }
    }

    // MARK: Deciding

    private func decide(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (visitor, form) = try await pages.anonymousSubmission(by: request)
        guard let link = form[AnswerLink.field].flatMap({ AnswerLink($0) }), let sent = SentAnswer(form) else {
            throw PageError.formExpired
        }
        let address = context.address(of: request, by: services.addresses)
        switch try await record(sent, by: link, at: visitor.cookie, from: address) {
        case .decided, .repeated, .wrongDigits(isLast: true):
            return pages.redirect(to: link.path)
        case .tooEarly:
            return pages.redirect(to: "\(link.path)&\(ApprovalDelay.early)=1")
        case .wrongDigits(isLast: false):
            return pages.redirect(to: "\(link.path)&\(ConfirmView.wrongNumber)")
        case .alreadyDecided, .notTaken:
            return try result(.alreadyDecided, status: .conflict)
        case .expired:
            return try result(.expired, status: .gone)
        case .cancelled:
            return try result(.cancelled, status: .gone)
        case .addressedToAnother:
            throw PageError.notFound
        case .refused(let refusal):
            return try result(ResultView.Outcome(refusal), status: .forbidden)
        case .unmet:
            return try result(.unmet, status: .forbidden)
        }
    }

    /// Records the answer. One that decides nothing is counted, too.
    private func record(
        _ sent: SentAnswer,
        by link: AnswerLink,
        at browser: BrowserCookie,
        from address: String?
    ) async throws -> DecisionOutcome {
        let keys = try await services.keys.current()
        return try await services.approvals.deciding { [services] repositories, step -> DecisionOutcome in
            guard let reader = try AnswerLinkReader(of: link, under: keys, in: repositories) else {
                return .addressedToAnother
            }
            let stored = reader.stored
            try services.limits.admitAndCount(
                [.subject(.approverPerAccount, reader.person.subject)], in: repositories)
            let proofs: [Evidence.Proof] = [.namedByClient, .possession(.deliveredLink, at: step.now)]
            return try step.decide(
                ProposedDecision(
                    answer: sent.answer,
                    stored: stored,
                    requestState: .open,
                    party: .linkReader(reader, on: sent.page(about: stored, shownTo: .browser(browser))),
                    evidence: sent.answer == .approve ? Evidence(proofs) : Evidence(),
                    address: address,
                    note: "by the link in a text message",
                    typed: sent.number.map { DigitsCode(of: $0, for: stored.id, under: keys) },
                    sessionTerm: sent.sessionTerm
                )
            )
        }
    }

    private func result(
        _ outcome: ResultView.Outcome, answered place: AnswerPlace? = nil, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        var page = ResultView(outcome)
        page.answered = place?.words(at: services.clock.now())
        return try pages.html(page, status: status)
    }
}
