package import CountersignWire
internal import HTTPTypes
package import Hummingbird

/// The origins that clients registered.
package protocol OriginRegistry: Sendable {
    /// Whether a client registered this origin.
    func contains(_ origin: WebOrigin) async throws -> Bool
}

/// The origins of web pages that may call an endpoint and read its answer.
///
/// Standard: WHATWG Fetch §3.2 (CORS protocol).
package struct CrossOriginAccess: Sendable {
    private enum Origins: Sendable {
        /// Named by the operator; their pages may send cookies, which no endpoint reads.
        case listed(Set<WebOrigin>)
        /// Named by clients. Their pages send no cookies.
        case registered(any OriginRegistry)
    }

    private let origins: Origins

    /// The origins that an operator named.
    package init(origins: Set<WebOrigin>) {
        self.origins = .listed(origins)
    }

    /// The origins that clients registered.
    package init(registered: any OriginRegistry) {
        origins = .registered(registered)
    }

    /// No other origin.
    package static let none = CrossOriginAccess(origins: [])

    package var isEmpty: Bool {
        if case .listed(let origins) = origins { origins.isEmpty } else { false }
    }

    /// Wraps `answer` and adds CORS headers for allowed origins.
    package func allowing(_ answer: @escaping Answering) -> Answering {
        guard !isEmpty else { return answer }
        return { request, context in
            var response = try await answer(request, context)
            await grant(request, to: &response.headers)
            return response
        }
    }

    /// Answers a preflight request.
    @Sendable package func preflight(_ request: Request, in context: ServerRequestContext) async -> Response {
        var headers: HTTPFields = [:]
        if await grant(request, to: &headers) {
            switch origins {
            case .listed: headers[.accessControlAllowMethods] = "POST"
            case .registered: headers[.accessControlAllowMethods] = "DELETE, GET, POST, PUT"
            }
            headers[.accessControlAllowHeaders] =
                "Content-Type, Authorization, Content-Length, X-Requested-With, DPoP, Prefer"
            headers[.accessControlMaxAge] = "600"
        }
        return Response(status: .noContent, headers: headers)
    }

    /// Adds the CORS headers if the request's origin is allowed, and returns whether it is. `Vary` is set because the
    /// answer depends on the origin; the answers to requests without an origin, which are never cached, stay small.
    @discardableResult
    private func grant(_ request: Request, to headers: inout HTTPFields) async -> Bool {
        let named = request.headers[values: .origin]
        if case .registered = origins, named.isEmpty { return false }
        headers[.vary] = "Origin"
        guard named.count == 1, let origin = WebOrigin(parsing: named[0]), await allows(origin) else { return false }
        headers[.accessControlAllowOrigin] = named[0]
        switch origins {
        case .listed:
            headers[.accessControlAllowCredentials] = "true"
            let provesKey = request.headers.contains(.dpop)
            headers[.accessControlExposeHeaders] = provesKey ? "Retry-After, DPoP-Nonce" : "Retry-After"
        case .registered:
            headers[.accessControlExposeHeaders] = "Retry-After, WWW-Authenticate, DPoP-Nonce"
        }
        return true
    }

    /// An origin that cannot be looked up is not allowed.
    private func allows(_ origin: WebOrigin) async -> Bool {
        switch origins {
        case .listed(let origins): origins.contains(origin)
        case .registered(let registered): (try? await registered.contains(origin)) ?? false
        }
    }
}
