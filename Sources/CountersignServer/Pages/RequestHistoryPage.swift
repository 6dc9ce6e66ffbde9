internal import Countersign
internal import FoundationEssentialsCompat
internal import Hummingbird

/// `/account/request`: the life of one request, for a person whom it concerns.
struct RequestHistoryPage: Sendable {
    let pages: PageRoutes
    let core: ServerCore

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("account/request", [.get: show], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let visitor = try await pages.person(visiting: request)
        guard let id = request.uri.queryParameters["id"] else { throw PageError.notFound }
        let (subject, now) = (visitor.person.subject, core.clock.now())
        let history = try await core.store.read { repositories -> RequestHistory? in
            guard let records = try RequestRecords(of: SignInRequest.ID(String(id)), in: repositories),
                records.concerns(subject)
            else { return nil }
            return RequestHistory(records, to: subject, at: now)
        }
        guard let history else { throw PageError.notFound }
        return try pages.html(
            RequestHistoryView(
                personName: visitor.person.name, formToken: visitor.formToken.revealed, history, at: now))
    }
}
