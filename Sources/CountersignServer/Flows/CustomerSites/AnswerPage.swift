internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `/answer`: the page of the link in a text message. It shows the request and takes the answer; a GET decides nothing.
///
/// It signs no person in: the link proves that the text was read, which is weak evidence
/// (``Possession/deliveredLink``) that policy refuses where more is demanded.
struct AnswerPage: Sendable {
    let pages: PageRoutes
    let services: FlowServices

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
        let keys = try await services.keys.current()
        let now = services.clock.now()
        let found = try await services.store.read { repositories -> RequestingDevice? in
            guard let stored = try AnswerLinkReader(of: link, under: keys, in: repositories)?.stored,
                let client = try repositories.clients.find(stored.exchange.request.client.value)
            else { return nil }
            return RequestingDevice(
                stored: stored,
                client: client,
                domain: nil,
                visitorAddress: address
            )
        }
        guard let asking = found else { throw PageError.notFound }
        let stored = asking.stored
        switch stored.status(at: now) {
        case .open: break
        case .approved: return try result(.approved(app: asking.client.shownName, undo: .over))
        case .denied: return try result(.denied)
        case .expired, .failed: return try result(.expired, status: .gone)
        }
        let visitor = try await pages.visitor(of: request)
        var page = asking.confirmation(by: link, formToken: visitor.formToken, at: now)
        page.deliberation = stored.approvalDelay(
            for: .browser(visitor.cookie), under: services.policy, sealedBy: keys
        )?.view(at: services.clock.now())
        page.showProblem(of: request)
        var response = try pages.html(page).runningScripts(page.deliberation != nil)
        if visitor.isNew { response.headers[.setCookie] = pages.jar.give(visitor.cookie) }
        return response
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

    private func result(_ outcome: ResultView.Outcome, status: HTTPResponse.Status = .ok) throws -> Response {
        try pages.html(ResultView(outcome), status: status)
    }
}
