internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// Answers requests for unknown paths with a "not found" page, after ``OtherMethodResponder`` has tried the other
/// methods of the path. An address that differs from that of ``ActivatePage`` by its letters alone leads there.
struct NotFoundMiddleware: RouterMiddleware {
    let pages: PageRoutes
    let unknown: RouteMeter

    func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            guard request.method == .trace || !context.isUnmatched else { throw error }
            // People type the address that a screen shows, and phones begin it with a capital letter.
            if context.refusal == nil, let page = activatePage(meantBy: request) {
                unknown.count(.seeOther)
                return pages.redirect(to: page)
            }
            let problem = context.refusal?.pageProblem ?? .notFound
            unknown.count(problem.content.status)
            return try await pages.inLanguage(of: request) { try pages.html(problem) }
        }
    }

    /// The address of ``ActivatePage`` below the issuer, with the query, if that of the request differs from it by its
    /// letters or a slash at the end; `nil` for every other one.
    private func activatePage(meantBy request: Request) -> String? {
        let typed = request.uri
        let path = typed.path.hasSuffix("/") ? String(typed.path.dropLast()) : typed.path
        let base = pages.issuer.path
        guard let page = ActivatePage.paths.first(where: { "\(base)/\($0)".lowercased() == path.lowercased() }),
            path != "\(base)/\(page)"
        else { return nil }
        return "/\(page)" + (typed.query.map { "?\($0)" } ?? "")
    }
}
