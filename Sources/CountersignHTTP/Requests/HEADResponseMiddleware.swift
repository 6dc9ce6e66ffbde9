internal import HTTPTypes
package import Hummingbird

/// Removes the body from every answer to a HEAD request, errors included: on a persistent connection it would be read
/// as the beginning of the next answer.
///
/// Standard: RFC 9110 §9.3.2.
package struct HEADResponseMiddleware: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request,
        context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        return request.method == .head ? response.createHeadResponse() : response
    }
}
