internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// An error of another room that knows its answer at the protocol endpoints.
protocol OAuthAnswerable: Error {
    var oauthAnswer: JSONResponse { get }
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
        case let error as any OAuthAnswerable:
            return error.oauthAnswer
        default:
            return JSONResponse(ServiceFailure(error, telling: logger))
        }
    }

    static func methodNotAllowed(_ allowed: String) throws -> Response {
        let error = OAuthError(.invalidRequest, "this endpoint takes \(allowed)", because: "another method")
        var response = try Response.oauth(error, headers: [.allow: allowed])
        response.status = .methodNotAllowed
        return response
    }
}
