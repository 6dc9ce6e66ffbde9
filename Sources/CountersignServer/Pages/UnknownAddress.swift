internal import HTTPTypes
internal import Hummingbird

/// Answers for addresses at which there is nothing, with a page that says so.
struct UnknownAddress: RouterMiddleware {
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
            unknown.count(error.status)
            return try pages.html(ProblemView.notFound, status: .notFound)
        }
    }
}
