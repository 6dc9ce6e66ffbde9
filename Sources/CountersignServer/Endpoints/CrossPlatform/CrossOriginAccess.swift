internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// The web pages of other origins that may ask an endpoint, and read what it answers.
///
/// Standard: WHATWG Fetch §3.2 (CORS protocol).
struct CrossOriginAccess: Sendable {
    let origins: Set<WebOrigin>

    /// No other page may.
    static let none = CrossOriginAccess(origins: [])

    var isEmpty: Bool { origins.isEmpty }

    /// `answer`, with leave to read it for pages that may ask.
    func allowing(_ answer: @escaping Answering) -> Answering {
        guard !isEmpty else { return answer }
        return { request, context in
            var response = try await answer(request, context)
            grant(request, to: &response.headers)
            return response
        }
    }

    /// The answer to a browser that asks whether a page may ask.
    @Sendable func preflight(_ request: Request, in context: ServerRequestContext) -> Response {
        var headers: HTTPFields = [:]
        if grant(request, to: &headers) {
            headers[.accessControlAllowMethods] = "POST"
            headers[.accessControlAllowHeaders] = "Content-Type, Authorization, Content-Length, X-Requested-With"
            headers[.accessControlMaxAge] = "600"
        }
        return Response(status: .noContent, headers: headers)
    }

    /// Whether the page that asks may; what is said to it differs from page to page.
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
