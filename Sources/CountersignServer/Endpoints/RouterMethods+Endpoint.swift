internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Answers one request.
typealias Answering = @Sendable (Request, ServerRequestContext) async throws -> Response

extension RouterMethods where Context == ServerRequestContext {
    /// Puts an endpoint of the protocols at `path`; its failures end in one ``OAuthError``.
    ///
    /// Other methods than those named get 405 with the ones that go.
    func endpoint(_ path: String, _ methods: [HTTPRequest.Method: Answering]) {
        mount(path, methods.mapValues(OAuthFailures.answering), otherwise: OAuthFailures.methodNotAllowed)
    }

    /// Puts `methods` at `path`, and `otherwise` for every other method, given the value of its `Allow` header.
    func mount(
        _ path: String,
        _ methods: [HTTPRequest.Method: Answering],
        otherwise: @escaping @Sendable (String) throws -> Response
    ) {
        var methods = methods
        methods[.head] = methods[.get]
        let allowed = methods.keys.map(\.rawValue).sorted().joined(separator: ", ")
        for method in HTTPRequest.Method.known {
            let answer = methods[method] ?? { _, _ in try otherwise(allowed) }
            on(RouterPath(path), method: method) { try await answer($0, $1) }
        }
    }
}

/// How the endpoints of the protocols say that something went wrong.
enum OAuthFailures {
    /// `answer`, with everything that it throws turned into the standard's form and the reason into the log.
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

    /// An error in the standard's form; its reason goes into the log.
    static func answer(to error: any Error, logger: Logger) -> JSONAnswer {
        switch error {
        case let error as OAuthError:
            logger.debug("refused", metadata: ["error": "\(error.code)", "reason": "\(error.reason)"])
            return JSONAnswer(error)
        case let reached as LimitReached:
            return limited(reached)
        default:
            return JSONAnswer(ServiceFailure(error, telling: logger))
        }
    }

    /// Standard: RFC 6585 §4. Of the registered codes `temporarily_unavailable` says it best.
    private static func limited(_ reached: LimitReached) -> JSONAnswer {
        let error = OAuthError(
            .temporarilyUnavailable,
            "too many requests; try again in \(reached.retryAfter) s",
            because: "\(reached.limit)"
        )
        return JSONAnswer(error, status: .tooManyRequests, headers: [.retryAfter: String(reached.retryAfter)])
    }

    static func methodNotAllowed(_ allowed: String) throws -> Response {
        let error = OAuthError(.invalidRequest, "this endpoint takes \(allowed)", because: "another method")
        var response = try Response.oauth(error, headers: [.allow: allowed])
        response.status = .methodNotAllowed
        return response
    }
}
