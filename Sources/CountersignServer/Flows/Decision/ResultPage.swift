internal import Countersign
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `/activate/result`: the outcome of a request that the visitor decided.
struct ResultPage: Sendable {
    let pages: PageRoutes
    let services: FlowServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("activate/result", [.get: show], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        guard let id = request.uri.queryParameters["request"] else { throw PageError.notFound }
        let subject = visitor.person.subject
        let outcome = try await services.store.read { repositories -> ResultView.Outcome? in
            try self.outcome(of: SignInRequest.ID(String(id)), for: subject, in: repositories)
        }
        guard let outcome else { throw PageError.notFound }
        return try pages.html(
            ResultView(personName: visitor.person.name, formToken: visitor.formToken.revealed, outcome: outcome)
        )
    }

    /// The outcome of a request; `nil` when `subject` did not decide it.
    private func outcome(
        of id: SignInRequest.ID,
        for subject: Subject,
        in repositories: any Repositories
    ) throws -> ResultView.Outcome? {
        guard let stored = try repositories.exchanges.find(id) else { return nil }
        let exchange = stored.exchange
        switch exchange.state {
        case .open, .taken:
            return nil
        case .denied(by: let approver):
            return approver.subject == subject ? .denied : nil
        case .approved(let grant, by: _, over: _), .redeemed(let grant, at: _):
            guard grant.subject == subject else { return nil }
            if try repositories.signIns.find(grant.id)?.revoked != nil { return .undone }
            let app = try repositories.clients.find(grant.client)?.shownName ?? grant.client.rawValue
            let domain = try Domains(repositories).asked(by: exchange.request)
            return .approved(app: app, forService: domain?.displayName, undo: offer(stored, grant))
        }
    }

    private func offer(_ stored: SignInExchangeRecord, _ grant: Grant) -> ResultView.UndoOffer {
        let now = services.clock.now()
        switch stored.undoWindow(of: grant, at: now) {
        case .open(until: let end):
            return .offered(ResultView.Undo(grant: grant.id.rawValue, lasting: end.timeIntervalSince(now)))
        case .delivered: return .delivered
        case .over: return .over
        }
    }
}
