internal import Countersign
internal import Hummingbird
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `/activate/result`: the outcome of a request that the visitor decided.
struct ResultPage: Sendable {
    let pages: PageRoutes
    let server: ServerServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("activate/result", [.get: show], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        guard let id = request.uri.queryParameters["request"] else { throw PageProblem.notFound }
        let subject = visitor.person.subject
        let outcome = try await server.store.read { repositories -> ResultView.Outcome? in
            try self.outcome(of: SignInRequest.ID(String(id)), for: subject, in: repositories)
        }
        guard let outcome else { throw PageProblem.notFound }
        return try pages.html(
            ResultView(personName: visitor.person.name, formToken: visitor.formToken.revealed, outcome: outcome)
        )
    }

    /// How a request ended; `nil` when `subject` did not decide it.
    private func outcome(
        of id: SignInRequest.ID,
        for subject: Subject,
        in repositories: any Repositories
    ) throws -> ResultView.Outcome? {
        guard let exchange = try repositories.exchanges.find(id)?.exchange else { return nil }
        switch exchange.state {
        case .open, .taken:
            return nil
        case .denied(by: let approver):
            return approver.subject == subject ? .denied : nil
        case .approved(let grant, by: _, over: _), .redeemed(let grant, at: _):
            guard grant.subject == subject else { return nil }
            if try repositories.signIns.find(grant.id)?.revoked != nil { return .undone }
            let app = try repositories.clients.find(grant.client)?.shownName ?? grant.client.rawValue
            let domain = try repositories.domain(of: exchange.request)
            return .approved(app: app, forService: domain?.displayName, undo: undo(grant))
        }
    }

    private func undo(_ grant: Grant) -> ResultView.Undo? {
        let now = server.clock.now()
        guard SignInExchange.canUndo(grant, at: now) else { return nil }
        let end = grant.approved.addingTimeInterval(SignInExchange.undoLifetime)
        return ResultView.Undo(grant: grant.id.rawValue, lasting: end.timeIntervalSince(now))
    }
}
