internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `/activate/result`: the outcome of a request that the visitor decided.
struct ResultPage: Sendable {
    let pages: PageRoutes
    let services: FlowServices

    /// The path of the page about a request.
    static func address(of request: SignInRequest.ID) -> String { "/activate/result?request=\(request)" }

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("activate/result", [.get: show], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        guard let id = request.uri.queryParameters["request"] else { throw PageError.notFound }
        let subject = visitor.person.subject
        let found = try await services.store.read { repositories -> (ResultView.Outcome, AnswerPlace?)? in
            guard let stored = try repositories.exchanges.find(SignInRequest.ID(String(id))),
                let outcome = try self.outcome(of: stored, for: subject, in: repositories)
            else { return nil }
            if case .browser(visitor.session.id, name: _) = stored.terms.answer?.place { return (outcome, nil) }
            return (outcome, try AnswerPlace(of: stored, toldTo: subject, in: repositories))
        }
        guard let (outcome, place) = found else { throw PageError.notFound }
        var page = ResultView(
            personName: visitor.person.name, formToken: visitor.formToken.revealed, outcome: outcome)
        page.answered = place?.words(at: services.clock.now())
        return try pages.html(page)
    }

    /// The outcome of a request; `nil` when `subject` did not decide it.
    private func outcome(
        of stored: SignInExchangeRecord,
        for subject: Subject,
        in repositories: any Repositories
    ) throws -> ResultView.Outcome? {
        let exchange = stored.exchange
        switch exchange.state {
        case .open, .taken:
            return nil
        case .cancelled:
            return exchange.taker == subject ? .cancelled : nil
        case .denied(by: let approver):
            guard approver.subject == subject else { return nil }
            return try end(of: stored.id, for: subject, in: repositories).map { .undone($0) } ?? .denied
        case .approved(let grant, by: _, over: _), .redeemed(let grant, at: _):
            guard grant.subject == subject else { return nil }
            if try repositories.signIns.find(grant.id)?.revoked != nil {
                return .undone(try end(of: stored.id, for: subject, in: repositories))
            }
            if stored.method.browser != nil { return try outcome(ofBrowser: stored, grant, in: repositories) }
            let app = try repositories.clients.find(grant.client)?.shownName ?? grant.client.rawValue
            let domain = try Domains(repositories).asked(by: exchange.request)
            return .approved(app: app, forService: domain?.displayName, undo: offer(stored, grant))
        }
    }

    /// The outcome of an approval for a browser, which is undone once the browser is signed out.
    private func outcome(
        ofBrowser stored: SignInExchangeRecord, _ grant: Grant, in repositories: any Repositories
    ) throws -> ResultView.Outcome {
        let now = services.clock.now()
        if case .redeemed = stored.exchange.state,
            try Sessions(repositories).opened(by: grant.id, of: grant.subject, at: now) == nil
        {
            return .undone(try end(of: stored.id, for: grant.subject, in: repositories))
        }
        return .approvedBrowser(undo: offer(stored, grant))
    }

    /// The event that ended an approval, with its time; `nil` when no approval ended.
    private func end(
        of id: SignInRequest.ID,
        for subject: Subject,
        in repositories: any Repositories
    ) throws -> LocalizedText? {
        let now = services.clock.now()
        guard let records = try RequestRecords(of: id, in: repositories),
            let end = RequestHistory(records, to: subject, at: now).end
        else { return nil }
        return .text(
            .historyWhen, ["event": end.words, "clock": .verbatim(TimeDisplay(end.at, at: now).clock)])
    }

    private func offer(_ stored: SignInExchangeRecord, _ grant: Grant) -> ResultView.UndoOffer {
        let now = services.clock.now()
        switch stored.undoWindow(of: grant, at: now) {
        case .open(until: let end):
            return .offered(UndoView(grant: grant.id.rawValue, until: end, at: now))
        case .delivered: return .delivered
        case .over: return .over
        }
    }
}
