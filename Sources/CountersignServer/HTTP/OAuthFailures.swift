internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging

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
            because: "\(reached.cause)"
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
