internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Answers one request.
typealias Answering = @Sendable (Request, ServerRequestContext) async throws -> Response

extension RouterMethods where Context == ServerRequestContext {
    /// Mounts a protocol endpoint at `path`; every error is answered as an ``OAuthError``.
    ///
    /// Other methods get 405 with an `Allow` header.
    ///
    /// - Parameter pages: Whose web pages may call it; nobody's by default.
    func endpoint(
        _ path: String,
        _ methods: [HTTPRequest.Method: Answering],
        from pages: CrossOriginAccess = .none
    ) {
        mount(
            path,
            methods.mapValues { pages.allowing(OAuthFailures.answering($0)) },
            preflight: pages.isEmpty ? nil : pages.preflight,
            otherwise: { _, allowed in try OAuthFailures.methodNotAllowed(allowed) }
        )
    }

    /// Mounts `methods` at `path`. A browser's question beforehand, which names an origin, is answered by `preflight`;
    /// every other method by `otherwise`, which gets the request and the value of the `Allow` header.
    ///
    /// - Parameter takesHead: Whether HEAD is answered as GET; `true` by default.
    func mount(
        _ path: String,
        _ methods: [HTTPRequest.Method: Answering],
        takingHead takesHead: Bool = true,
        preflight: Answering? = nil,
        otherwise: @escaping @Sendable (Request, String) async throws -> Response
    ) {
        let head = takesHead ? methods[.get] : nil
        let methods = methods.merging(head.map { [.head: $0] } ?? [:]) { first, _ in first }
        let allowed = methods.keys.map(\.rawValue).sorted().joined(separator: ", ")
        for method in HTTPRequest.Method.known {
            let answer = methods[method] ?? (method == .options ? preflight : nil)
            on(RouterPath(path), method: method) { request, context in
                guard let answer, methods[method] != nil || request.headers[.origin] != nil else {
                    return try await otherwise(request, allowed)
                }
                return try await answer(request, context)
            }
        }
    }
}

/// Error responses of the protocol endpoints.
enum OAuthFailures {
    /// Wraps `answer`: what it throws becomes an error response of the standard, and the reason is logged.
    static func answering(_ answer: @escaping Answering) -> Answering {
        { request, context in
            do {
                return try await answer(request, context)
            } catch let error as any HTTPResponseError {
                throw error
            } catch {
                return Self.answer(to: error, logger: context.logger).response
            }
        }
    }

    /// The error response of the standard; the reason is logged.
    static func answer(to error: any Error, logger: Logger) -> JSONResponse {
        switch error {
        case let error as OAuthError:
            logger.debug("refused", metadata: ["error": "\(error.code)", "reason": "\(error.reason)"])
            return JSONResponse(error)
        case let reached as LimitReached:
            return limited(reached)
        default:
            return JSONResponse(ServiceFailure(error, telling: logger))
        }
    }

    /// Standard: RFC 6585 §4. `temporarily_unavailable` is the closest registered code.
    private static func limited(_ reached: LimitReached) -> JSONResponse {
        let error = OAuthError(
            .temporarilyUnavailable,
            "too many requests; try again in \(reached.retryAfter) s",
            because: "\(reached.limit)"
        )
        return JSONResponse(error, status: .tooManyRequests, headers: [.retryAfter: String(reached.retryAfter)])
    }

    static func methodNotAllowed(_ allowed: String) throws -> Response {
        let error = OAuthError(.invalidRequest, "this endpoint takes \(allowed)", because: "another method")
        var response = try Response.oauth(error, headers: [.allow: allowed])
        response.status = .methodNotAllowed
        return response
    }
}
