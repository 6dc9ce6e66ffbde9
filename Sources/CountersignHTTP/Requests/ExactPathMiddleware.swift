internal import HTTPTypes
package import Hummingbird

/// Answers 404 to a path with an empty segment, such as `//jwks`, which the router would take for the path without it.
///
/// A slash at the end is allowed: some apps append one to the address that they were given.
package struct ExactPathMiddleware: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let (path, slash) = (request.uri.path.utf8, UInt8(ascii: "/"))
        let hasEmptySegment = zip(path, path.dropFirst()).contains { $0 == slash && $1 == slash }
        guard !hasEmptySegment else { throw HTTPError(.notFound) }
        return try await next(request, context)
    }
}
