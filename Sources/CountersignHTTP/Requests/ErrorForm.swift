package import Countersign
package import CountersignWire
package import Hummingbird
package import Logging

/// The form of errors at a group of endpoints. Each error type declares its own answer, by the protocol of the form.
package protocol ErrorForm: SendableMetatype {
    /// The answer that the type of `error` declares; `nil` for an error that no endpoint of the form expects.
    static func answer(to error: any Error) -> JSONResponse?
    /// The answer to an error that no endpoint expects.
    static func answer(to failure: ServiceError) -> JSONResponse
    /// Adds to every answer, good ones included, what the form demands; nothing by default.
    static func complete(_ response: Response) -> Response
}

/// An error with a reason for the log.
package protocol ReasonedError: CodedError {
    var reason: String { get }
}

extension OAuthError: ReasonedError {}

extension ErrorForm {
    package static func complete(_ response: Response) -> Response { response }

    /// Wraps `answer`: what it throws becomes an error response of the form, and the reason is logged.
    package static func answering(_ answer: @escaping Answering) -> Answering {
        { request, context in
            do {
                return complete(try await answer(request, context))
            } catch let refusal as RefusedRequestError {
                return refusal.answer.response
            } catch let error as any HTTPResponseError {
                throw error
            } catch {
                return complete(Self.answer(to: error, logger: context.logger).response)
            }
        }
    }

    /// The error response of the form; the reason is logged.
    package static func answer(to error: any Error, logger: Logger) -> JSONResponse {
        guard let answer = answer(to: error) else { return answer(to: ServiceError(error, telling: logger)) }
        if let error = error as? any ReasonedError {
            logger.debug("refused", metadata: ["error": "\(error.code)", "reason": "\(error.reason)"])
        }
        return answer
    }
}

/// A request with a method that its path does not take.
///
/// Standard: RFC 9110 §15.5.6.
package struct MethodNotAllowedError: Error {
    /// The value of the `Allow` header.
    package let allowed: String
}
