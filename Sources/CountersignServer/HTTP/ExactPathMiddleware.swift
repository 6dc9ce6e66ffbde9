internal import HTTPTypes
internal import Hummingbird

/// Answers 404 to a path with an empty segment, such as `//jwks`. The router would take it for the path without.
///
/// A slash at the end is allowed: some apps append one to the address that they were given.
struct ExactPathMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let (path, slash) = (request.uri.path.utf8, UInt8(ascii: "/"))
        let hasEmptySegment = zip(path, path.dropFirst()).contains { $0 == slash && $1 == slash }
        guard !hasEmptySegment else { throw HTTPError(.notFound) }
        return try await next(request, context)
    }
}
