internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// The origins whose web pages may call an endpoint and read its answer.
///
/// Standard: WHATWG Fetch §3.2 (CORS protocol).
struct CrossOriginAccess: Sendable {
    let origins: Set<WebOrigin>

    /// No other origin is allowed.
    static let none = CrossOriginAccess(origins: [])

    var isEmpty: Bool { origins.isEmpty }

    /// Wraps `answer` and adds CORS headers for allowed origins.
    func allowing(_ answer: @escaping Answering) -> Answering {
        guard !isEmpty else { return answer }
        return { request, context in
            var response = try await answer(request, context)
            grant(request, to: &response.headers)
            return response
        }
    }

    /// Answers a preflight request.
    @Sendable func preflight(_ request: Request, in context: ServerRequestContext) -> Response {
        var headers: HTTPFields = [:]
        if grant(request, to: &headers) {
            headers[.accessControlAllowMethods] = "POST"
            headers[.accessControlAllowHeaders] = "Content-Type, Authorization, Content-Length, X-Requested-With"
            headers[.accessControlMaxAge] = "600"
        }
        return Response(status: .noContent, headers: headers)
    }

    /// Adds the CORS headers if the request's origin is allowed, and returns whether it is. `Vary` is always set,
    /// because the answer depends on the origin.
    @discardableResult
    private func grant(_ request: Request, to headers: inout HTTPFields) -> Bool {
        headers[.vary] = "Origin"
        let named = request.headers[values: .origin]
        guard named.count == 1, let origin = WebOrigin(parsing: named[0]), origins.contains(origin) else {
            return false
        }
        headers[.accessControlAllowOrigin] = named[0]
        headers[.accessControlAllowCredentials] = "true"
        headers[.accessControlExposeHeaders] = "Retry-After"
        return true
    }
}
