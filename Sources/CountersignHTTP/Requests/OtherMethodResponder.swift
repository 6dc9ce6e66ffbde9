internal import HTTPTypes
package import Hummingbird

/// Answers requests whose path does not take their method.
///
/// A path is mounted with its own methods and with TRACE, which stands for all others: nine entries for each path would
/// be most of what a router costs. So a request that the router finds no entry for is sent again as TRACE.
///
/// Standard: RFC 9110 §15.5.6.
package struct OtherMethodResponder: HTTPResponder {
    private let router: RouterResponder<ServerRequestContext>

    package init(base router: RouterResponder<ServerRequestContext>) {
        self.router = router
    }

    package func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        let answer = try await router.respond(to: request, context: context)
        guard context.isUnmatched, request.method != .trace else { return answer }
        let refusal = try await router.respond(to: request.asTrace, context: context)
        return request.method == .head ? refusal.createHeadResponse() : refusal
    }
}

extension ServerRequestContext {
    /// Whether the router found no entry for the path and method of the request.
    package var isUnmatched: Bool { endpointPath == "NotFound" }
}

extension Request {
    /// The same with the method TRACE.
    package var asTrace: Request {
        var head = head
        head.method = .trace
        return Request(head: head, body: body)
    }
}
