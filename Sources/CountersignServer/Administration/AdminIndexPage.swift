internal import Hummingbird

/// `/admin`: leads to the first page of administrators that the role of the visitor may read.
struct AdminIndexPage: Sendable {
    let pages: PageRoutes

    static let returns = ReturnPage(paths: ["/admin"])

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        pages.mount("admin", [.get: show], on: router)
    }

    private func show(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let role = try await pages.person(visiting: request).person.role
        guard let noun = AdminNoun.allCases.first(where: { role.permits(.read($0)) }) else {
            throw PageError.administratorsOnly
        }
        return pages.redirect(to: noun.path)
    }
}
